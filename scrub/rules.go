// The rules in their order, and what is known of each.

package scrub

import (
	"errors"
	"strings"
	"sync"
)

// Info describes a rule.
type Info struct {
	Name        string // identifies the rule, in Finding.Rule and Options.Off
	Label       string // what it writes into the text: [REDACTED:<Label>]
	Description string // what it finds
}

const placeholderHead = "[REDACTED:"

// placeholder matches what earlier scrubbing left, so that no rule touches it.
type placeholder struct{ labels map[string]bool }

func (p placeholder) match(s *scan, at int, anchor string, _ int) {
	text := s.after(at+len(anchor), maxLabel+1)
	n := strings.IndexByte(text, ']')
	if n > 0 && p.labels[text[:n]] {
		s.hit(at, at+len(anchor)+n+1)
	}
}

const maxLabel = 64

// builtin returns the rules in their order: of two that match at one place the
// first wins.
func builtin() []rule {
	sets := alphabet()
	rules := []rule{
		{Info: Info{"private-key", "private-key", "private key in armour: PEM, OpenSSH, OpenPGP, OpenVPN"}, group: blocks, anchors: []string{"-----BEGIN"}, matcher: block{0}},
		{Info: Info{"ssh2-private-key", "private-key", "private key in the armour of SSH2"}, group: blocks, anchors: []string{"---- BEGIN"}, matcher: block{1}},
		{Info: Info{"putty-private-key", "private-key", "private-key file of PuTTY"}, group: blocks, anchors: []string{"PuTTY-User-Key-File-"}, matcher: putty{}},
		{Info: Info{"aws-secret-key-beside-id", "aws-secret-key", "AWS secret key directly behind its access key id"}, group: blocks,
			anchors: []string{"AKIA", "ASIA"}, matcher: beside{}},
		{Info: Info{"twilio-token-beside-id", "twilio-token", "Twilio token directly behind the account or key id"}, group: blocks,
			anchors: []string{"AC", "SK"}, next: sets['x'], matcher: besideTwilio{}},
	}
	for _, specs := range [][]tokenSpec{seedTokens(), cloudTokens(), codeTokens(), modelTokens(), moneyTokens(), mailTokens(), appTokens(), moreTokens(), addressTokens()} {
		for _, t := range specs {
			rules = append(rules, t.rule(sets))
		}
	}
	return append(rules, contextRules(sets)...)
}

// rule translates a token format. A pattern that is wrong is a mistake in this
// package: it must not be overlooked.
func (t *tokenSpec) rule(sets map[byte]*set) rule {
	f, err := parseFormat(t.pattern, sets)
	if err != nil {
		panic(err)
	}
	m := &token{format: f, tight: t.tight, check: t.check}
	r := rule{Info: Info{t.name, t.label, t.about}, group: formats, anchors: f.anchors, matcher: m}
	if len(f.rest) > 0 && f.rest[0].min > 0 {
		r.next = f.rest[0].set
	}
	if len(f.before) > 0 && f.before[0].min > 0 {
		r.before = f.before[0].set
	}
	return r
}

// addressTokens returns addresses that are secrets as a whole.
func addressTokens() []tokenSpec {
	return []tokenSpec{
		{"slack-webhook", "slack-webhook", "Slack webhook address",
			"<https://hooks.slack.com/services/,https://hooks.slack.com/workflows/,https://hooks.slack.com/triggers/,https://hooks.slack-gov.com/services/>%B{24,}", false, notMask},
		{"discord-webhook", "discord-webhook", "Discord webhook address",
			"<https://discord.com/api/webhooks/,https://discordapp.com/api/webhooks/,https://ptb.discord.com/api/webhooks/,https://canary.discord.com/api/webhooks/>%d{15,22}/%b{50,90}", false, notMask},
		{"teams-webhook", "teams-webhook", "Microsoft Teams webhook address", "https://%h{1,60}<.webhook.office.com/webhookb2/>%U{60,}", false, notMask},
		{"zapier-webhook", "zapier-webhook", "Zapier webhook address", "<https://hooks.zapier.com/hooks/catch/>%B{10,}", false, notMask},
		{"feishu-webhook", "feishu-webhook", "Feishu or Lark webhook address",
			"<https://open.feishu.cn/open-apis/bot/v2/hook/,https://open.larksuite.com/open-apis/bot/v2/hook/>%h{36}", false, notMask},
		{"make-webhook", "make-webhook", "Make webhook address", "<https://hook.eu1.make.com/,https://hook.eu2.make.com/,https://hook.us1.make.com/,https://hook.integromat.com/>%l{24,40}", false, notMask},
	}
}

// contextRules returns the rules for values that are known by what stands before
// them.
func contextRules(sets map[byte]*set) []rule {
	context := func(name, label, about string, fold bool, m matcher, anchors ...string) rule {
		return rule{Info: Info{name, label, about}, group: contexts, anchors: anchors, fold: fold, matcher: m}
	}
	bearer, err := parseFormat("<bearer,authorization:>%_{1,}%Z{20,}%={0,}", sets)
	signature, err2 := parseFormat("<sig=>%v{43,}", sets)
	amazon, err3 := parseFormat("<X-Amz-Signature=,X-Goog-Signature=>%x{64,}", sets)
	jsonKey, err4 := parseFormat(`<"d":">%b{40,}`, sets)
	spacedKey, err5 := parseFormat(`<"d": ">%b{40,}`, sets)
	telegramURL, err6 := parseFormat("/bot%d{8,10}<:>%b{35}", sets)
	hook, err9 := parseFormat("</hooks/>%l{26}", sets)
	okta, err7 := parseFormat("<SSWS >%b{40,44}", sets)
	code, err8 := parseFormat("<?code=,&code=>%v{40,}", sets)
	if err := errors.Join(err, err2, err3, err4, err5, err6, err7, err8, err9); err != nil {
		panic(err)
	}
	rules := []rule{
		context("bearer-token", "generic-bearer", "token behind Bearer or Authorization:", true, &token{format: bearer, tight: true, open: true, check: bearerValue}, bearer.anchors...),
		context("authorization-header", "authorization", "credentials of an Authorization header of any scheme", true, authorization{}, "authorization"),
		context("basic-authorization", "basic-auth", "user and password in base64 behind Basic", true, basic{}, "basic "),
		context("digest-authorization", "digest-auth", "response of a Digest authorization", true, digest{}, "digest "),
		context("cookie", "cookie", "cookie of a session or login", true, cookies{}, "cookie"),
		context("url-password", "url-password", "password or token in an address", false, userinfo{}, "://"),
		context("okta-token", "okta-token", "Okta token in its header", false, &token{format: okta, skip: len("SSWS ")}, okta.anchors...),
		context("chat-webhook", "url-signature", "address of an incoming webhook", false, &token{format: hook, skip: len("/hooks/"), check: unlikeWords}, hook.anchors...),
		context("url-code", "url-signature", "key or authorisation code in an address", false, &token{format: code, skip: len("?code="), check: unlikeWords}, code.anchors...),
		context("signed-url", "url-signature", "signature of an address", false, &token{format: signature, skip: len("sig=")}, signature.anchors...),
		context("signed-url-amazon", "url-signature", "signature of an address of Amazon", false, &token{format: amazon, skip: len("X-Amz-Signature=")}, "X-Amz-Signature="),
		context("json-web-key", "private-key", "private part of a JSON web key (RFC 7517)", false, &token{format: jsonKey, skip: len(`"d":"`), check: unlikeWords}, jsonKey.anchors...),
		context("json-web-key-spaced", "private-key", "private part of a JSON web key (RFC 7517)", false, &token{format: spacedKey, skip: len(`"d": "`), check: unlikeWords}, spacedKey.anchors...),
		context("telegram-address", "telegram-token", "Telegram bot token in an address", false, &token{format: telegramURL, skip: len("/bot")}, telegramURL.anchors...),
		context("command-password", "password", "password behind -p of sshpass, docker login and others", false, flags{" -p "}, "sshpass", "docker login", "podman login", "registry login", "mongosh ", "oc login", "az login", "acr login", "cf login", "useradd ", "usermod ", "unlock-keychain", "create-keychain", "altool", "notarytool", "buildah login", "skopeo login", "crane auth login"),
		context("mysql-password", "password", "password joined to -p of MySQL's commands", false, flags{" -p"}, "mysql ", "mysqldump ", "mysqladmin ", "mariadb "),
		context("redis-password", "password", "password behind -a of redis-cli", false, flags{" -a "}, "redis-cli"),
		context("ldap-password", "password", "password behind -w of the LDAP commands", false, flags{" -w "}, "ldapsearch", "ldapmodify", "ldapadd"),
		context("sqlcmd-password", "password", "password behind -P of sqlcmd", false, flags{" -P "}, "sqlcmd", "bcp ", "ipmitool ", "mosquitto_pub ", "mosquitto_sub ", "vncdotool "),
		context("user-flag", "password", "password in -u user:password", false, userFlag{}, "-u ", "--user ", "--user=", "--proxy-user ", "-U ", "curl -u", "curl -su", "http -a ", "https -a ", "xh -a ", "--auth ", "--auth=", "--creds ", "--creds=", "stats auth ", "btoa(", "b64encode(", "b64encode(b", "base64("),
		context("archive-password", "password", "password behind -P of zip or -p of 7z and rar", false, flags{" -p"}, "7z ", "7za ", "rar ", "7zz "),
		context("zip-password", "password", "password behind -P of zip", false, flags{" -P "}, "zip "),
		context("secret-body", "secret", "value behind --body of gh", false, flags{" --body "}, "secret set "),
		context("secret-body-short", "secret", "value behind -b of gh", false, flags{" -b"}, "gh secret set "),
		context("openssl-password", "password", "password behind -k of openssl", false, flags{" -k "}, "openssl enc ", "openssl aes"),
		context("samba-password", "password", "password behind -U user% of the Samba commands", false, userAnd{"-U ", '%'}, "smbclient ", "rpcclient ", "net rpc ", "smbmap ", "wmic ", "winexe "),
		context("lftp-password", "password", "password behind -u user, of lftp", false, userAnd{"-u ", ','}, "lftp "),
		context("composer-password", "password", "password behind http-basic of composer", false, nthWord{words: 2}, "http-basic."),
		context("nickserv-password", "password", "password given to NickServ", true, nthWord{}, "nickserv identify ", "nickserv :identify "),
		context("new-user", "password", "password behind the name of a new user", false, nthWord{words: 1}, "rabbitmqctl add_user ", "rabbitmqctl change_password ", "wpa_passphrase "),
		context("masked-value", "secret", "value that a build service is told to mask", false, nthWord{}, "::add-mask::"),
		context("access-token-flag", "secret", "token behind -t of doctl", false, flags{" -t "}, "doctl auth init", "surge --token"),
		context("new-passphrase", "password", "passphrase behind -N of ssh-keygen", false, flags{" -N "}, "ssh-keygen "),
		context("signing-password", "password", "password behind /p of signtool", false, flags{" /p "}, "signtool sign"),
		context("net-use", "password", "password behind net use and a share", true, nthWord{words: 2}, "net use "),
		context("htpasswd", "password", "password behind the user of htpasswd -b", false, nthWord{words: 2}, "htpasswd -b ", "htpasswd -cb ", "htpasswd -bc ", "htpasswd -Bb ", "htpasswd -bB ", "htpasswd -Bbc ", "htpasswd -bBc ", "htpasswd -cBb ", "htpasswd -cbB "),
		context("htpasswd-printed", "password", "password behind the user of htpasswd -nb", false, nthWord{words: 1}, "htpasswd -nb ", "htpasswd -bn ", "htpasswd -nbB ", "htpasswd -Bbn ", "htpasswd -nBb ", "htpasswd -bnB ", "htpasswd -nbm "),
		context("snmp-community", "password", "SNMP community", true, nthWord{}, "snmp-server community ", "rocommunity ", "rwcommunity ", "tacacs-server key ", "radius-server key ", "sudo -s <<< "),
		context("login-key", "secret", "key given to a command that logs in", false, loginKey{}, " login ", "snyk auth ", " authtoken ", " add-authtoken "),
		context("smtp-login", "basic-auth", "user and password behind SMTP's AUTH PLAIN", false, plainAuth{}, "AUTH PLAIN "),
		context("password-field", "password", "value of an HTML field for passwords", true, quotedBehind{"value="}, "type=\"password\"", "type='password'"),
		context("oracle-password", "password", "password in a JDBC address of Oracle", false, oracle{}, ":thin:", ":oci:", ":oci8:"),
		context("wifi-code", "password", "password in the code of a WLAN", true, wifi{}, "wifi:"),
		context("session-cookie", "cookie", "cookie of a session, outside its header", true, sessionCookie{}, "jsessionid=", "phpsessid=", "connect.sid=", "sessionid=", "session_id=", ".aspxauth=", "_session=", "_sess=", "asp.net_sessionid=", "session=", "next-auth.session-token=", "li_at=", "sessiontoken="),
		context("seed-phrase", "seed-phrase", "words from which a wallet is restored (BIP 39)", true, seedPhrase{}, "seed phrase", "mnemonic", "recovery phrase", "seed words", "seed_phrase", "seedphrase", "recovery words", "wallet seed", "recovery_phrase", "backup phrase", "secret phrase"),
		context("keystore", "keystore", "keys in base64, as build services are given them (PKCS #12, JKS)", true, keystore{}, "p12", "pfx", "pkcs12", "keystore", "certificate", "jks"),
		context("net-user", "password", "password behind net user", true, secondWord{}, "net user "),
		context("echo-password", "password", "password given to chpasswd, sudo or a login", false, passwordInput{}, "echo "),
		context("login-strings", "password", "second of two strings about a login", true, twoStrings{}, "auth=(", "auth = (", "login(", "signin(", "sign_in(", "basicauth(", "basic_auth(", "credentials(", "credential(", "userpassword(", "authenticate("),
		context("credential-pair", "password", "user and password behind a word for them", true, pair{}, "credentials", "creds", "login", "zugangsdaten", "identifiants"),
		context("set-password", "password", "password in SQL's SET PASSWORD", true, quotedBehind{"="}, "set password for"),
		context("secure-string", "password", "password of PowerShell's ConvertTo-SecureString", true, quotedBehind{""}, "convertto-securestring"),
		context("pin", "pin", "digits of a PIN or a passcode", true, pin{}, "pin:", "pin is", "pin=", "pin =", "pin code is", "pin code:", "pin-code:", "passcode:", "passcode is", "passcode=", "pin lautet", "pin ist"),
		context("pgpass", "password", "password in PostgreSQL's password file", false, passwordFile{}, ":5432:", ":5433:", ":6432:"),
		context("oath-secret", "otp-secret", "secret of one-time passwords in its address", true, otpauth{}, "otpauth://"),
		context("sql-password", "password", "password in SQL", true, quoted{}, "identified by", "identified with mysql_native_password by"),
	}
	return append(rules, assignments()...)
}

// assignments returns the rules for named values.
func assignments() []rule {
	list := stems()
	named := func(name, label, about string, fold bool, anchors []string, stemOf func(anchor string) *stem) rule {
		m := &assignment{}
		for _, a := range anchors {
			m.stems = append(m.stems, stemOf(a))
		}
		return rule{Info: Info{name, label, about}, group: contexts, fold: fold, anchors: anchors, matcher: m}
	}
	stemOf := func(anchor string) *stem {
		for i := range list {
			if strings.HasSuffix(strings.TrimRight(anchor, " :=\""), list[i].text) {
				return &list[i]
			}
		}
		return nil
	}
	return []rule{
		named("named-password", "password", "value that a name such as password or secret introduces", true,
			[]string{"pass", "pwd", "kennwort", "senha", "secret", "clave", "wachtwoord", "heslo", "haslo", "sifre", "parola", "losenord", "adgangskode", "kodeord",
				"salasana", "jelszo", "lozinka", "contrasena", "kata sandi", "psk"}, stemOf),
		named("named-password-foreign", "password", "value that a word for password in another language introduces", false,
			append([]string{"keyMaterial", "mot de passe", "Mot de passe"}, foreignNames[:]...), func(string) *stem { return nil }),
		named("named-password-short", "password", "value that pw introduces", true, []string{"pw:", "pw=", "pw ", "pw\""}, stemOf),
		named("named-token", "secret", "random value that a name such as token or api_key introduces", true,
			[]string{"token", "key", "auth", "cred", "pat", "sess", "jwt", "api key", "secret key", "access key", "private key", "signing key",
				"encryption key", "master key", "account key", "license key", "licence key", "auth key"}, stemOf),
	}
}

// builtinRules and standard are made once, on first use.
var (
	builtinRules = sync.OnceValue(builtin)
	standard     = sync.OnceValue(func() *ruleSet { return newRuleSet(builtinRules(), nil, nil) })
)
