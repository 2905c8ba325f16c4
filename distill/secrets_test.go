// Tests of what is taken for the telling of a secret.

package distill

import (
	"strings"
	"testing"
)

func TestTellsSecret(t *testing.T) {
	for _, text := range []string{
		"My password is hunter2.", "The admin password is swordfish.", "the wifi password is now correct-horse", "Password: swordfish",
		"The PIN for the back door is 4821.", "my pin = 4821", "The token is abcdef123456.", "Our API key is 9f8e7d6c5b.", "Das Passwort ist geheim!",
		"Mein Passwort lautet Sommer2024.", "Le mot de passe est soleil.", "La contraseña es girasol.", "пароль: весна2024", "密码是 abc", "The password was “opensesame”, I think.",
	} {
		if !tellsSecret(text) || talks(text) {
			t.Errorf("%q is not taken for one", text)
		}
	}
	for _, text := range []string{
		"The password is stored in the vault.", "The password policy has changed.", "The token limit is now 500.", "The key is under the mat.",
		"The token is valid for an hour.", "We pinned the version.", "My PIN comes by mail.", "The new PIN comes by text message.", "The secret is to stir it.",
		"The key decision is Postgres over MySQL.", "Keyboards are 80 euros.", "I forgot my password.",
	} {
		if tellsSecret(text) {
			t.Errorf("%q is taken for one", text)
		}
	}
}

// Neither facts nor the summary tell secrets that no format gives away.
func TestExtractiveTellsNoSecrets(t *testing.T) {
	m := extract(t, "Ana: My password is hunter2. The office is on Elm Square 12.\nBen: The PIN of the door is 4821. Please never call before 9.", ExtractiveOptions{})
	text := m.Summary
	for _, f := range m.Facts {
		text += "\n" + f.Text
	}
	if strings.Contains(text, "hunter2") || strings.Contains(text, "4821") || !strings.Contains(text, "Elm Square") || len(m.Facts) != 2 {
		t.Errorf("got %q", m)
	}
}
