// Texts that must stay as they are: prose about secrets, code, placeholders,
// hashes and what else looks random.

package scrub

import (
	"strings"
	"testing"
)

func harmless() []string {
	hex := "9c2f1d84e07b5a6633d1f0c4be2a97d85e61f3ab"
	sha512 := "sha512-" + filler(86) + "=="
	return []string{
		"Please reset your password before Friday.", "The password must have 12 characters, with 2 digits.", "password: required", "Password: ********", "password: <your-password>", "password=${DB_PASSWORD}", "password=$(cat /run/secrets/db)", "password = os.environ['DB_PASSWORD']", "password: {{ vault.db_password }}", "password = getPassword()", "token: string", "token: str = None", "api_key: YOUR_API_KEY", "apiKey: process.env.API_KEY", "API_KEY=xxxxxxxxxxxxxxxxxxxxxxxx", "secret = config.get('secret')", "key: value", "keys = sorted(map)", "key := cacheKey(user)", "const password = props.password;", "if (password !== confirmPassword) {", "this.password = password;", "self._token = token", "token = next(tokens)", "password: changeme", "The token economy of 2023 was small.", "a token of appreciation", "the key to success is patience", "press any key to continue", "primary_key=user_id", "secretary: Anna", "passenger: Bob7", "The secret is that there is no secret.", "tokenizer: bert-base-uncased", "max_tokens: 4096", "next_page_token: 12",
		"password_hash = bcrypt.hashpw(password, salt)", "The password is hashed with SHA-256 and salted.", "The password is stored as bcrypt hash", "token is invalid or expired", "Your token has expired at 2024-05-02T10:11:12Z", "password is incorrect, 3 tries left", "Passwort ist falsch", "Das Passwort ist zu kurz, mindestens 12 Zeichen.", "Le mot de passe est obligatoire.", "La contraseña es obligatoria.", "пароль не подходит", "Пароль должен иметь 12 знаков", "密码不正确，请重试3次", "密码是必填项", "パスワードは12文字以上です。", "비밀번호는 8자 이상이어야 합니다", "A senha é obrigatória", "login: see the wiki", "login page at /login/v2/start", "credentials: see 1Password / vault", "creds: ask Anna/Bob", "login or sign up", "echo hello | grep -v x1", "pin: 12", "The pin is 7 cm long", "pinning: 1.2.3", "PIN: see letter", "pin = 2023",
		"commit " + hex, "sha256:" + hex + hex[:24], "\"integrity\": \"" + sha512 + "\"", "h1:" + filler(43) + "=", "checksum = \"" + hex + hex[:24] + "\"", "etag: W/\"" + hex + "\"", "id: 6f1c8a52-3b9d-4e07-a1c4-52d8e9f0b7a3", "request_id=6f1c8a52-3b9d-4e07-a1c4-52d8e9f0b7a3", "session 6f1c8a52-3b9d-4e07-a1c4-52d8e9f0b7a3 ended", "s3_key: backups/2024/05/02/db.dump", "object key=photos/2024/IMG_0001.jpg", "cache key: npm-linux-" + hex, "public_key: " + filler(43) + "=", "publishable key pk_" + "live_" + filler(24), "site_key: 6Le" + filler(37), "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + filler(43) + " anna@laptop", "fingerprint: SHA256:" + filler(43), "data:image/png;base64," + filler(200), "https://example.com/watch?v=dQw4w9WgXcQ", "https://user@example.com/x", "https://example.com:8443/a@b", "git@github.com:acme/x.git", "http://localhost:8080/path:x@y", "ssh://git@host:2222/x.git", "postgres://user:password@localhost/db", "redis://user:${REDIS_PASSWORD}@cache:6379", "mailto:bob@example.com", "bob:x@y", "docker run -p 8080:80 nginx", "cp -p a1 b2", "mysql -u root -p mydb", "tar -p -xf a1.tar", "grep -P '\\d+' x", "mkdir -p build/x86_64", "zip -r a.zip dir1", "ssh -p 2222 host1", "sshpass -p \"$PASS\" ssh h", "curl -u \"$USER:$PASS\" https://x.example", "chown -u root:wheel f", "net user bob /delete", "CREATE USER bob IDENTIFIED BY PASSWORD", "SET PASSWORD FOR 'bob'@'%' = PASSWORD(?)", "SELECT token FROM sessions WHERE id = 939390", "INSERT INTO tokens(kind,count) VALUES ('word', 52604);",
		"Authorization: Bearer <token>", "Authorization: Bearer $TOKEN", "Authorization: Basic <base64>", "the Authorization header is required", "Bearer of bad news arrived yesterday evening", "basic understanding of authentication", "Cookie: theme=dark; lang=de", "cookie policy: accept", "Set-Cookie: consent=yes; Path=/", "digest of the meeting: response=none", "-----BEGIN CERTIFICATE-----\n" + filler(64) + "\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----\n" + filler(64) + "\n-----END PUBLIC KEY-----", "-----BEGIN PGP SIGNATURE-----\n\n" + filler(64) + "\n-----END PGP SIGNATURE-----", "Paste what lies between BEGIN PRIVATE KEY and END PRIVATE KEY here.",
		"arn:aws:iam::123456789012:role/deploy", "AKIA is the prefix of key ids", "sk-learn and sk-image are packages", "sk-learn-contrib-imbalanced-learning-algorithms", "npm_config_registry=https://example.com", "hf_transfer is fast", "gh" + "p_ is the prefix", "risk-assessment-of-the-northern-pipeline", "desk-organizer-with-seven-drawers-oak", "pat.example.com", "AC/DC played", "SK Telecom", "EAAccelerator", "M. Night Shyamalan.films.of.all.times", "00000000-0000-0000-0000-000000000000", "2001:db8:3016:51ce:db6d:bdb0:a96e:89be", "v1.0-alpha", "re_module_name_and_more", "live_view_component_test", "test_api_key_is_loaded_from_the_environment", "my_api_token_refresh_interval_seconds", "test_live_reload_of_configuration_files", "key_123", "[REDACTED:github-token]", "password: [REDACTED:password]", "Bearer [REDACTED:jwt]", "password=[REDACTED]", "token=***REDACTED***", "secret: (hidden)", "password (see vault): none", "Passwords:\n- never share them\n- change them", "Token\nThe token is read from the environment.", "password:\n  secretKeyRef:\n    name: db\n    key: password", "password:\n  type: string\n  minLength: 8", "secrets:\n  - source: db_password\n    target: /run/x1", "env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: db2", "variable \"db_password\" {\n  type = string\n  sensitive = true\n}", "| key | value |\n|---|---|\n| a1 | b2 |", "<input type=\"password\" id=\"pw1\">", "<label for=\"password\">Password</label>", "<password></password>", "[None]: ", "keyboard: qwertz2", "monkey: banana42", "hotkey=ctrl+shift+p1", "donkey, turkey and whiskey: 3", "authors: Anna2, Bob3", "author=anna2024", "compass: N42", "bypass: true1", "Passau 2024", "passport: C01X00T47",
	}
}

func TestHarmless(t *testing.T) {
	for _, text := range harmless() {
		for _, form := range []string{"%", "x\n%\ny", "user: %\nassistant: ok", "- %", "> %", "\t%"} {
			text := strings.Replace(form, "%", text, 1)
			if got, found := Scrub(text); got != text {
				t.Errorf("%q became %q: %v", text, got, found)
			}
		}
	}
}
