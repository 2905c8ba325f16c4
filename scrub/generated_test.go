// A set of secrets of its own, made from patterns at run time: formats by what
// vendors document, in the ways people paste them.

package scrub

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
)

// madeFrom returns a random text that a regular expression matches.
func madeFrom(rng *rand.Rand, pattern string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	spell(rng, &b, re)
	return b.String()
}

func spell(rng *rand.Rand, b *strings.Builder, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		n := 0
		for i := 0; i < len(re.Rune); i += 2 {
			n += int(re.Rune[i+1]-re.Rune[i]) + 1
		}
		k := rng.IntN(n)
		for i := 0; i < len(re.Rune); i += 2 {
			size := int(re.Rune[i+1]-re.Rune[i]) + 1
			if k < size {
				b.WriteRune(re.Rune[i] + rune(k))
				return
			}
			k -= size
		}
	case syntax.OpRepeat:
		n := re.Min
		if re.Max > re.Min {
			n += rng.IntN(re.Max - re.Min + 1)
		}
		for range n {
			spell(rng, b, re.Sub[0])
		}
	case syntax.OpAlternate:
		spell(rng, b, re.Sub[rng.IntN(len(re.Sub))])
	default: // concatenation, groups
		for _, sub := range re.Sub {
			spell(rng, b, sub)
		}
	}
}

// vendorFormats are secrets that are recognisable by themselves.
var vendorFormats = []string{
	`(AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}`, `AIza[0-9A-Za-z_-]{34}[0-9A-Za-z]`, `GOCSPX-[A-Za-z0-9_-]{27}[A-Za-z0-9]`, `ya29\.a0[A-Za-z0-9_-]{120}[A-Za-z0-9]`,
	`1//0[0-9a-z][A-Za-z0-9_-]{50}[A-Za-z0-9]`, `[a-zA-Z0-9]{3}[78]Q~[A-Za-z0-9_~.-]{33}[A-Za-z0-9]`, `do[opr]_v1_[0-9a-f]{64}`, `LTAI5t[A-Za-z0-9]{18}`,
	`AKID[A-Za-z0-9]{16}[0-9][A-Za-z0-9]{15}`, `v1\.0-[0-9a-f]{24}-[0-9a-f]{146}`, `HRKU-AA[0-9A-Za-z_-]{57}[a-z]`, `vcp_[A-Za-z0-9]{24,56}`, `fo1_[A-Za-z0-9_-]{42}[a-z]`,
	`FlyV1 fm2_[A-Za-z0-9+/]{120}==`, `sbp_[0-9a-f]{40}`, `sb_secret_[A-Za-z0-9]{22}_[A-Za-z0-9]{8}`, `nfp_[A-Za-z0-9]{36}`, `rnd_[A-Za-z0-9]{32}`, `SCW[A-Z0-9]{16}[0-9]`,
	`pscale_tkn_[A-Za-z0-9_-]{42}[A-Z]`, `pscale_pw_[A-Za-z0-9_-]{42}[A-Z]`, `npg_[A-Za-z0-9]{11}[0-9]`, `dapi[0-9a-f]{32}(-2)?`, `hv[sbr]\.[A-Za-z0-9_-]{90}[A-Za-z]`,
	`[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{66}[A-Za-z]`, `pul-[0-9a-f]{40}`, `dp\.(pt|st\.dev|ct|sa|scim|audit)\.[A-Za-z0-9]{43}`, `ops_eyJ[A-Za-z0-9]{250}`,
	`A3-[A-Z0-9]{6}-[A-Z0-9]{6}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}`, `tskey-auth-k[A-Za-z0-9]{10}CNTRL-[A-Za-z0-9]{32}`, `tskey-api-k[A-Za-z0-9]{10}CNTRL-[A-Za-z0-9]{32}`,
	`gh[pousr]_[A-Za-z0-9]{36}`, `github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}`, `glpat-[A-Za-z0-9_-]{19}[A-Za-z]`, `glpat-[A-Za-z0-9_-]{27}\.[0-9a-z]{2}\.[0-9a-z]{9}`,
	`(gldt|glrt|glcbt|glptt|glft|glimt|glagent|gloas|glsoat|glffct|glwt)-[A-Za-z0-9_-]{24,40}[A-Za-z]`, `GR1348941[A-Za-z0-9_-]{19}[A-Z]`, `ATATT3xFfGF0[A-Za-z0-9_-]{170}=[0-9A-F]{8}`,
	`ATCTT3xFfGN0[A-Za-z0-9_-]{170}=[0-9A-F]{8}`, `ATBB[A-Za-z0-9]{32}`, `ATTA[0-9a-f]{64}[0-9A-F]{8}`, `npm_[A-Za-z0-9]{36}`, `pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{120}[a-z]`, `pypi-AgENdGVzdC5weXBpLm9yZw[A-Za-z0-9_-]{120}[a-z]`,
	`rubygems_[0-9a-f]{48}`, `cio[A-Za-z0-9]{32}`, `oy2[a-z0-9]{43}`, `dckr_pat_[A-Za-z0-9_-]{26}[A-Z]`, `dckr_oat_[A-Za-z0-9_-]{31}[A-Z]`, `CLOJARS_[0-9a-f]{60}`, `AKCp[58][A-Za-z0-9]{68}`,
	`bkua_[0-9a-f]{40}`, `CCIPAT_[A-Za-z0-9]{22}_[0-9a-f]{40}`, `sq[upa]_[0-9a-f]{40}`, `sgp_[0-9a-f]{16}_[0-9a-f]{40}`, `sgp_[0-9a-f]{40}`, `API-[A-Z0-9]{25}[0-9]`,
	`pat\.[A-Za-z0-9_-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}`, `PMAK-[0-9a-f]{24}-[0-9a-f]{34}`, `rdme_[a-z0-9]{70}`, `pnu_[A-Za-z0-9]{36}`, `lin_api_[A-Za-z0-9]{40}`,
	`AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}`, `nsec1[a-z0-9]{58}`, `xprv9[A-HJ-NP-Za-km-z1-9]{106}`,
	`sk-ant-api03-[A-Za-z0-9_-]{93}AA`, `sk-ant-oat01-[A-Za-z0-9_-]{93}AA`, `sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}`, `sk-proj-[A-Za-z0-9_-]{74}T3BlbkFJ[A-Za-z0-9_-]{73}A`, `sk-(svcacct|admin)-[A-Za-z0-9_-]{58}T3BlbkFJ[A-Za-z0-9_-]{57}A`,
	`sk-or-v1-[0-9a-f]{64}`, `sk-[0-9a-f]{32}`, `hf_[A-Za-z]{34}`, `gsk_[A-Za-z0-9]{52}`, `r8_[A-Za-z0-9]{37}`, `pplx-[0-9a-f]{48}`, `pplx-[A-Za-z0-9]{48}`, `xai-[A-Za-z0-9]{80}`, `nvapi-[A-Za-z0-9_-]{63}[A-Z]`,
	`fw_[A-Za-z0-9]{24}`, `tgp_v1_[A-Za-z0-9_-]{42}[A-Z]`, `csk-[a-z0-9]{48}`, `lsv2_(pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}`, `pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{63}`, `jina_[0-9a-f]{32}[A-Za-z0-9_-]{27}[A-Z]`, `tvly-(dev-)?[A-Za-z0-9]{32}`,
	`fc-[0-9a-f]{32}`, `sk-lf-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`, `sk_[0-9a-f]{48}`, `rpa_[A-Z0-9]{36}[a-z0-9]{10}`, `e2b_[0-9a-f]{40}`, `esecret_[a-z0-9]{34}`,
	`(sk|rk)_(live|test)_[A-Za-z0-9]{24,99}`, `sk_live_51[A-Za-z0-9]{97}`, `whsec_[A-Za-z0-9+/]{32}`, `EAAA[lE][A-Za-z0-9_-]{58}[A-Z]`, `sq0csp-[A-Za-z0-9_-]{42}[A-Z]`, `sq0atp-[A-Za-z0-9_-]{21}[A-Z]`, `access_token\$production\$[a-z0-9]{16}\$[0-9a-f]{32}`,
	`shp(at|ca|pa|ss)_[0-9a-fA-F]{32}`, `access-(sandbox|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, `rzp_(live|test)_[A-Za-z0-9]{14}`, `FLWSECK-[0-9a-f]{32}-X`, `FLWSECK_TEST-[0-9a-f]{32}-X`, `(live|test)_[0-9a-f]{35}`,
	`EZ[AT]K[A-Za-z0-9]{54}`, `shippo_(live|test)_[0-9a-f]{40}`, `duffel_(live|test)_[A-Za-z0-9_-]{42}[A-Z]`, `SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{42}[A-Z]`, `key-[0-9a-f]{32}`, `[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}`,
	`[0-9a-f]{32}-us[12]?[0-9]`, `re_[A-Za-z0-9]{8}_[A-Za-z0-9]{23}[0-9]`, `xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}`, `xsmtpsib-[0-9a-f]{64}-[A-Za-z0-9]{16}`, `mlsn\.[0-9a-f]{64}`, `pk_[0-9a-f]{34}`, `SK[0-9a-f]{32}`,
	`[0-9]{8,10}:AA[A-Za-z0-9_-]{32}[A-Z]`, `xox[bp]-[0-9]{10,12}-[0-9]{10,13}-[A-Za-z0-9]{24}`, `xoxb-[0-9]{12}-[A-Za-z0-9]{24}`, `xapp-1-A[A-Z0-9]{10}-[0-9]{13}-[0-9a-f]{64}`, `xoxe\.xoxp-1-[A-Za-z0-9]{160}`, `xoxe-1-[A-Za-z0-9]{140}`,
	`https://hooks\.slack\.com/services/T[A-Z0-9]{8,10}/B[A-Z0-9]{8,10}/[A-Za-z0-9]{24}`, `https://discord\.com/api/webhooks/[0-9]{19}/[A-Za-z0-9_-]{67}[A-Z]`,
	`https://acme\.webhook\.office\.com/webhookb2/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}@[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/IncomingWebhook/[0-9a-f]{32}/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`,
	`[MN][A-Za-z0-9]{23}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{37}[A-Z]`, `EAA[A-Za-z0-9]{160}ZD`, `sntryu_[0-9a-f]{64}`, `sntrys_eyJ[A-Za-z0-9]{120}`, `NRAK-[A-Z0-9]{27}`, `[0-9a-f]{36}NRAL`, `glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}`, `glc_eyJ[A-Za-z0-9]{120}=`,
	`hcaik_01[a-z0-9]{56}`, `dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}`, `xaat-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, `phx_[A-Za-z0-9]{43}`, `sdk-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, `ntn_[0-9]{11}[A-Za-z0-9]{35}`, `secret_[A-Za-z0-9]{43}`,
	`figd_[A-Za-z0-9_-]{39}[A-Z]`, `pat[A-Za-z0-9]{14}\.[0-9a-f]{64}`, `[01]/[0-9]{16}:[0-9a-f]{32}`, `2/[0-9]{16}/[0-9]{16}:[0-9a-f]{32}`, `pk_[0-9]{8}_[A-Z0-9]{32}`, `tfp_[A-Za-z0-9_-]{43}_3p[A-Z]{4}`, `sl\.B[A-Za-z0-9_-]{135}[A-Z]`, `CFPAT-[A-Za-z0-9_-]{42}[A-Z]`,
	`pat-(na1|eu1)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, `00D[A-Za-z0-9]{12}![A-Za-z0-9_.]{95}[A-Z]`, `eyJhbGciOiJ[A-Za-z0-9_-]{20}\.eyJ[A-Za-z0-9_-]{60}\.[A-Za-z0-9_-]{42}[A-Z]`, `sha256~[A-Za-z0-9_-]{42}[A-Z]`, `dt0s01\.[A-Z0-9]{8}[A-Z0-9]{16}\.[A-Z0-9]{64}`,
	`apify_api_[A-Za-z0-9]{36}`, `dop_v1_[0-9a-f]{64}`, `AQVN[A-Za-z0-9_-]{34}[A-Z]`, `y0_[A-Za-z0-9_-]{54}[A-Z]`, `signkey-(prod|test)-[0-9a-f]{64}`,
	`tr_(dev|prod)_[A-Za-z0-9]{20,24}`, `sk_(prod|dev)_[A-Za-z0-9]{32}`, `ghu_[A-Za-z0-9]{36}`, `glrt-t1_[A-Za-z0-9_-]{19}[A-Z]`, `waka_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`,
	`sk-cp-[A-Za-z0-9_-]{79}[A-Z]`, `zpka_[0-9a-f]{32}_[0-9a-f]{8}`, `bb_live_[A-Za-z0-9_-]{26}[A-Z]`, `cal_live_[0-9a-f]{32}`, `xata_auth_[A-Za-z0-9]{36}`,
	`AC[0-9a-f]{32}`,
}

// contextForms are ways in which a token that is recognisable is pasted; § stands for it.
var contextForms = []string{
	"§", "§\n", "TOKEN=§", "export API_TOKEN=§\n", `export TOKEN="§"`, "set TOKEN=§\r\nnext", `$env:API_KEY = "§"`, "deploy:\n  token: §\n  retries: 3", "key: '§'", `{"token":"§"}`,
	"{\n  \"name\": \"x\",\n  \"value\": \"§\"\n}", `"{\"key\":\"§\"}"`, `"{\\\"key\\\":\\\"§\\\"}"`, "token = \"§\"\n", "[default]\ntoken = §\nregion = eu", "<token>§</token>", `<add key="ApiKey" value="§"/>`,
	"X-Auth-Token: §", "curl -H 'X-Api-Key: §' https://api.example.com", `curl -H "Authorization: token §" https://api.example.com`, "curl -u §: https://api.example.com/v1", "https://api.example.com/v1?access_token=§&page=2",
	"https://api.example.com/cb?state=a#token=§", "Use `§` for the demo.", "| prod | § |", "|§|x|", "The key is §.", "The key is §, ok?", "(§)", "[§]", "«§»", "„§“", "“§”", "‘§’", "密钥是§，请保存", "トークンは§です。", "토큰: §입니다", "ключ: § — сохрани", "المفتاح هو § شكرا", "🔑§🔑", "🔑 §",
	"a,§,b", "a;§;b", "name\t§\t2024", "- KEY=§", "ENV TOKEN §", "ENV TOKEN=§ OTHER=1", "  - name: TOKEN\n    value: §\n", "variable \"t\" {\n  default = \"§\"\n}", "api.token=§", "api.token: §", "machine api.example.com login me password §",
	"//registry.example.com/:_authToken=§", `String t = "§";`, "const t = '§';", "t := `§`", "t = f\"§\"", "client = Client('§', timeout=3)", "--token=§", "--token §", "-t §", "> here: §\n> thanks", "+TOKEN=§", "-TOKEN=§", "+ token: §", "**§**", "*§*", "~~§~~", "<code>§</code>", "<§>",
	"2024-05-02T10:11:12Z WARN auth failed for token=§ from 10.0.0.7", "\x1b[32m§\x1b[0m", "foo\\n§\\nbar", "token%3D§%26x", "'§'", "\"§\"", "user: my token is §\nassistant: noted", "it's §!", "it's §?", "§ is the key", "see §…", "INSERT INTO t VALUES (1, '§', 'x');", "key:§", "key=>§", "{§}", "token:\n§\n",
	"Authorization: Bearer §", "'Authorization': 'Bearer §'", "Bearer §", "export A=1 B=§ C=2", "echo § | docker login", "password-stdin <<< §", "key=§;next=1", "[link](https://x.example/?k=§)", "\u200b§\u200b", "\ufeff§", "\u00a0§\u00a0",
}

// secretNames introduce a secret that has no form of its own, and what such
// secrets look like.
var secretNames = []struct {
	names  string
	values []string
}{
	{"AWS_SECRET_ACCESS_KEY aws_secret_access_key SecretAccessKey secretAccessKey aws_secret_key AWS_SECRET_KEY", []string{`[A-Za-z0-9/+]{40}`}},
	{"AZURE_CLIENT_SECRET clientSecret client_secret CLIENT_SECRET client-secret ClientSecret oauth_client_secret app_secret APP_SECRET appSecret consumer_secret", []string{`[A-Za-z0-9]{32}`, `[A-Za-z0-9_-]{40}[a-z]`, `[0-9a-f]{32}`, `[0-9a-f]{64}`}},
	{"API_KEY api_key apiKey APIKEY apikey api-key x-api-key X-API-Key OPENAI_API_KEY MISTRAL_API_KEY COHERE_API_KEY DD_API_KEY DATADOG_API_KEY datadog_app_key ALGOLIA_ADMIN_KEY ALGOLIA_API_KEY SERVICE_API_KEY myApiKey", []string{`[A-Za-z0-9]{32}`, `[A-Za-z0-9]{40}`, `[0-9a-f]{32}`, `[0-9a-f]{40}`, `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`, `[A-Za-z0-9]{20}`, `[A-Za-z0-9+/]{43}=`}},
	{"CLOUDFLARE_API_TOKEN cf_api_token VERCEL_TOKEN HEROKU_API_KEY access_token ACCESS_TOKEN accessToken refresh_token refreshToken auth_token authToken AUTH_TOKEN bot_token slack_token GITLAB_TOKEN CI_JOB_TOKEN JENKINS_TOKEN SONAR_TOKEN id_token session_token token TOKEN", []string{`[A-Za-z0-9_-]{39}[a-z]`, `[A-Za-z0-9]{24}`, `[0-9a-f]{40}`, `[A-Za-z0-9]{64}`, `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`}},
	{"TWILIO_AUTH_TOKEN twilio_auth_token AZURE_DEVOPS_PAT azure_devops_pat AccountKey account_key SharedAccessKey SECRET_KEY secret_key secretKey SECRET_KEY_BASE JWT_SECRET jwt_secret SESSION_SECRET session_secret ENCRYPTION_KEY encryption_key signing_key SIGNING_SECRET webhook_secret WEBHOOK_SECRET private_key PRIVATE_KEY NEXTAUTH_SECRET APP_KEY master_key RAILS_MASTER_KEY DJANGO_SECRET_KEY", []string{`[0-9a-f]{32}`, `[A-Za-z0-9+/]{43}=`, `[a-z2-7]{52}`, `[A-Za-z0-9]{48}`, `[0-9a-f]{64}`}},
}

// namedForms are ways to give a secret a name: § is the secret, ¤ the name.
var namedForms = []string{
	"¤=§", "¤ = §", "¤: §", "¤:§", `¤="§"`, "¤='§'", `¤ = "§"`, "¤ := \"§\"", "export ¤=§\n", `export ¤="§"`, "set ¤=§\r\n", `$env:¤="§"`, `$¤ = '§';`, `"¤": "§"`, `"¤":"§",`, `'¤': '§'`, `{"¤":"§"}`, `"{\"¤\":\"§\"}"`, `"{\\\"¤\\\":\\\"§\\\"}"`, "  ¤: §\n", "- ¤=§", "- ¤: §", "--¤ §", "--¤=§", `--¤ "§"`,
	"<¤>§</¤>", `<add key="¤" value="§"/>`, `<property name="¤" value="§"/>`, `  - name: ¤` + "\n    value: §\n", `  - name: ¤` + "\n    value: \"§\"\n", "variable \"¤\" {\n  default = \"§\"\n}", "¤ => '§'", "'¤' => '§',", `os.environ["¤"] = "§"`, `os.Setenv("¤", "§")`, `process.env.¤ = '§'`, "¤ § ", "my ¤ is §", "the ¤ is: §", "¤ is `§`", "**¤**: §", "**¤:** §", "`¤`: `§`", "- **¤**: `§`",
	"| ¤ | § |", "| `¤` | `§` |", "ENV ¤ §", "ENV ¤=§", "ARG ¤=§", "?¤=§&x=1", "https://api.example.com/?a=1&¤=§", "¤=§; other=1", "¤=§,other=1", "¤: str = \"§\"", "const ¤ = \"§\";", "private static final String ¤ = \"§\";", "var ¤ string = \"§\"", "let ¤: &str = \"§\";", "#define ¤ \"§\"", "user: here is the ¤ for staging: §\nassistant: ok", "spring.¤=§", "config.¤ = '§'", "¤    = §", "¤：§", "INFO loaded ¤=§ from env", "+¤=§", "> ¤: §", "# ¤=§", "// ¤: §", "set('¤', '§')", "setx ¤ §", "fly secrets set ¤=§", "heroku config:set ¤=§", "gh secret set ¤ --body §", "kubectl create secret generic x --from-literal=¤=§", "helm --set ¤=§", "docker run -e ¤=§ img", "-D¤=§", "curl -d '¤=§&grant=x'", "curl -F ¤=§", "¤ = <<EOF\n§\nEOF\n", "¤: |\n  §\n", "¤: >-\n  §\n", "¤ -> §", "¤\n§\n", "¤:\n§\n", "¤:\n  - §\n",
}

// passwordNames and passwords: what people choose.
var passwordNames = strings.Fields("password PASSWORD Password passwd pwd PWD pass DB_PASSWORD db_password dbPassword POSTGRES_PASSWORD MYSQL_ROOT_PASSWORD MYSQL_PWD REDIS_PASSWORD smtp_pass SMTP_PASS userPassword user_pass root_password admin_password passphrase PASSPHRASE spring.datasource.password sudo_pass loginPassword passcode wifi_password keystorePassword PGPASSWORD secret")

var passwordPatterns = []string{
	`hunter2Xy!`, `[A-Z][a-z]{5}20[12][0-9]!`, `[A-Za-z0-9]{12}`, `[a-z]{4}[0-9]{4}[A-Z]{2}`, `[A-Za-z0-9!#%*+]{16}[a-z]`, `Tr0ub4dor&[0-9]`, `[A-Z][a-z0-9]{8}[#!][0-9]{2}`, `[A-Za-z0-9_]{19}[a-z]`,
}

// passwordForms are ways to tell a password in speech: § is the password.
var passwordForms = []string{
	"my password is §", "my password is § ok", "the password is: §", "Password: §", "pwd: §", "pw: §", "pass: §", "pw is §", "password → §", "the wifi password is \"§\"", "use password § to log in", "log in as admin with password §", "login: admin password: §", "username: bob / password: §", "admin / password §", "user=bob password=§ host=db1", "credentials: bob / §", "creds are bob:§",
	"Mein Passwort ist §", "Das Passwort lautet §.", "Passwort: §", "Kennwort: §", "le mot de passe est §", "mot de passe : §", "mi contraseña es §", "contraseña: §", "la clave es §", "a senha é §", "senha: §", "la password è §", "wachtwoord: §", "het wachtwoord is §", "hasło: §", "пароль: §", "мой пароль §", "密码是§", "密码：§", "パスワードは§です", "パスワード：§", "비밀번호는 §", "비밀번호: §", "şifre: §", "lösenord: §", "heslo: §", "adgangskode: §", "salasana: §", "parola: §",
	"postgres://app:§@db.internal:5432/x", "mysql://root:§@localhost/x", "mongodb+srv://u:§@c0.example.net/?w=1", "redis://:§@cache:6379/0", "https://bob:§@git.example.com/r.git", "amqp://svc:§@mq:5672", "smtp://bob:§@mail:587", "ftp://bob:§@ftp.example.com", "jdbc:postgresql://h/db?user=u&password=§", "jdbc:sqlserver://h;user=sa;password=§;encrypt=true", "Server=db;Database=x;User Id=sa;Password=§;", "Server=db;Uid=sa;Pwd=§;", "host=db user=app password=§ dbname=x", "Data Source=h;User ID=u;Password=§",
	"machine git.example.com login bob password §", "machine h\n  login bob\n  password §\n", "db.example.com:5432:app:bob:§", "mysql -u root -p§ db", "sshpass -p § ssh h", "sshpass -p '§' ssh h", "curl -u bob:§ https://x.example", "curl --user 'bob:§' https://x.example", "PGPASSWORD=§ psql -h h", "redis-cli -a § ping", "docker login -u bob -p § reg.example.com", "ldapsearch -x -D cn=a -w § -b dc=x", "CREATE USER bob IDENTIFIED BY '§';", "ALTER USER bob WITH PASSWORD '§';", "CREATE ROLE bob LOGIN PASSWORD '§';", "SET PASSWORD FOR 'bob' = '§';", "CREATE LOGIN bob WITH PASSWORD = '§';", "GRANT ALL ON *.* TO 'bob'@'%' IDENTIFIED BY '§'", "requirepass §", "ConvertTo-SecureString \"§\" -AsPlainText -Force", "net user bob § /add", "echo 'bob:§' | chpasswd", "wget --password=§ http://x", "wget --http-password=§ http://x", "openssl enc -pass pass:§", "-passin pass:§", "zip -P § a.zip f", "7z x -p§ a.7z", "keytool -storepass § -list", "-Djavax.net.ssl.keyStorePassword=§", "winrm set x @{Password=\"§\"}", "auth=('bob', '§')", "login('bob', '§')", "password_hash? no, password: \"§\"", "<password>§</password>", "<Password value=\"§\" />", "connect(user='u', password='§')", "new Login { Password = \"§\" }", "\"password\" : \"§\"", "default_password = §", "stringData:\n  password: §\n", "PASSWORD=§", "ANSIBLE_BECOME_PASS: §", "ansible_ssh_pass=§", "rootpw §", "password 7 §", "identity bob password §", "the old password was §, the new one comes tomorrow", "passwd=§&user=bob", "user=bob&passwd=§", "username=bob&password=§&submit=1", "I set the password to § yesterday", "changed my password to §", "password for bob: §", "password (temporary): §", "temp password - §", "Benutzer: anna, Passwort: §", "Der Zugang: anna / Passwort §", "pin and password: 1234 / x, password=§",
}

type sample struct{ id, text, secret string }

// generated returns the set: every format in some forms, every form with some
// formats.
func generated(seed uint64) (out []sample) {
	rng := rand.New(rand.NewPCG(seed, 1))
	add := func(id, form, name, secret string) {
		text := strings.ReplaceAll(form, "¤", name)
		out = append(out, sample{id, strings.ReplaceAll(text, "§", secret), secret})
	}
	for i, f := range vendorFormats {
		for k := range 12 {
			form := contextForms[(i*12+k+int(seed))%len(contextForms)]
			add("vendor "+f[:min(len(f), 24)], form, "", madeFrom(rng, f))
		}
	}
	for _, form := range namedForms {
		for _, g := range secretNames {
			names := strings.Fields(g.names)
			for range 4 {
				add("named "+form, form, names[rng.IntN(len(names))], madeFrom(rng, g.values[rng.IntN(len(g.values))]))
			}
		}
		for range 4 {
			add("password named "+form, form, passwordNames[rng.IntN(len(passwordNames))], madeFrom(rng, passwordPatterns[rng.IntN(len(passwordPatterns))]))
		}
	}
	for _, form := range passwordForms {
		for range 6 {
			add("password "+form, form, "", madeFrom(rng, passwordPatterns[rng.IntN(len(passwordPatterns))]))
		}
	}
	return out
}

// lost reports that a secret is left, whole or at its ends.
func lost(got, secret string) bool {
	n := min(len(secret), 8)
	return left(got, secret) || strings.Contains(got, secret[len(secret)-n:])
}

func TestGenerated(t *testing.T) {
	total, missed := 0, map[string]int{}
	for _, kind := range []string{"vendor", "named", "password"} {
		total = 0
		for _, seed := range []uint64{1, 2, 3} {
			for _, s := range generated(seed) {
				if !strings.HasPrefix(s.id, kind) {
					continue
				}
				total++
				if got, _ := Scrub(s.text); lost(got, s.secret) {
					missed[kind]++
					t.Logf("%s: %q is left in the output", s.id, s.text)
				}
			}
		}
		t.Logf("%s: %d of %d missed", kind, missed[kind], total)
		// A few passwords are made of what might be words, by chance.
		if allowed := map[string]int{"vendor": 200, "named": 40, "password": 25}[kind]; missed[kind]*allowed > total {
			t.Errorf("%s: %d of %d missed", kind, missed[kind], total)
		}
	}
}
