// Sentences that tell a secret in plain words.

package distill

import (
	"slices"
	"strings"
	"unicode"
)

// chosenSecrets are words for what people choose as a secret, so that its value can
// be any word; madeSecrets those for what is made by machines, with digits in it.
var (
	chosenSecrets = []string{
		"password", "passwords", "passphrase", "passcode", "passwort", "kennwort", "pin", "cvv", "cvc", "contraseña", "senha", "пароль", "motdepasse",
		"login", "credentials",
	}
	madeSecrets = []string{"token", "secret", "key", "apikey", "otp", "iban", "ssn"}
	// telling are the words between a secret's name and its value.
	telling = []string{"is", "was", "are", "ist", "war", "lautet", "es", "est", "é", "now", "still", "equals", "code", "number"}
)

// reachOfSecret is how many words may stand between the name of a secret and the
// word that tells it: "The PIN for the back door is 4821."
const reachOfSecret = 5

// tellsSecret reports whether a sentence says what a password, a PIN, a key or a
// token is. Formats of keys that give themselves away are no matter of this, but of
// package scrub.
func tellsSecret(text string) bool {
	tokens := strings.Fields(strings.ReplaceAll(fold(text), "mot de passe", "motdepasse"))
	for i, token := range tokens {
		word := strings.Trim(token, `"'“”‘’(),:=*`)
		if slices.Contains(chosenSecrets, word) && valueOfSecret(tokens[i:], false) || slices.Contains(madeSecrets, word) && valueOfSecret(tokens[i:], true) {
			return true
		}
	}
	return strings.Contains(text, "密码是") || strings.Contains(text, "パスワードは")
}

// valueOfSecret reports whether tokens, the name of a secret being the first,
// tell its value.
func valueOfSecret(tokens []string, made bool) bool {
	told := strings.HasSuffix(tokens[0], ":") || strings.HasSuffix(tokens[0], "=")
	for i := 1; i < len(tokens) && (told || i <= reachOfSecret); i++ {
		switch {
		case slices.Contains(telling, tokens[i]), tokens[i] == "=", tokens[i] == ":":
			told = true
		case told:
			// A value ends its clause.
			value := strings.Trim(tokens[i], `"'“”‘’.,;:!?()`)
			ends := i+1 == len(tokens) || value != tokens[i] && strings.ContainsAny(tokens[i], ".,;!?)") || slices.Contains([]string{"and", "but", "now", "please", "by", "btw", "for", "since"}, tokens[i+1])
			digits := strings.ContainsFunc(value, unicode.IsDigit)
			return digits && (!made || len(value) >= 6) || !made && ends && len(value) >= 3
		}
	}
	return false
}
