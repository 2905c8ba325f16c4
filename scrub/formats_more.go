// Token formats of services that few use, and of those that have issued theirs
// for a short time.

package scrub

import "strings"

// moreTokens returns formats that say what they are by a short beginning, so that
// most need random letters behind it.
func moreTokens() []tokenSpec {
	return []tokenSpec{
		{"intra42-secret", "intra42-secret", "42 intranet client secret", "<s-s4t2ud->%x{64}", false, nil},
		{"circle-key", "circle-key", "Circle payments key", "<SAND_API_KEY:,LIVE_API_KEY:,TEST_API_KEY:>%x{32}:%x{32}", false, nil},
		{"google-chat-webhook", "google-chat-webhook", "Google Chat webhook address", "<https://chat.googleapis.com/v1/spaces/>%U{60,}", false, notMask},
		{"mercadopago-token", "mercadopago-token", "Mercado Pago access token", "<APP_USR-,TEST->%d{10,20}-%d{6}-%x{32}-%d{6,12}", false, nil},
		{"hex-token", "api-key", "64 hexadecimal digits behind the name of what they open", "<rootly_,key_,web_,app_,ss_,auto_>%x{64}", false, nil},
		{"rapidapi-key", "rapidapi-key", "RapidAPI key", "%x{10}<msh>%x{15}p1%x{6}jsn%x{12}", false, nil},
		{"facebook-app-token", "facebook-token", "Facebook app token", "%d{15,16}<|>%b{27}", false, behindBar},
		{"llama-key", "llama-key", "Llama API key", "<LLM|>%d{10,20}|%b{20,40}", false, nil},
		{"twitch-token", "twitch-token", "Twitch chat token", "<oauth:>%l{30}", false, hasDigit},
		{"flagsmith-key", "flagsmith-key", "Flagsmith server key", "<ser.>%a{22}", false, unlikeWords},
		{"ory-token", "ory-token", "Ory session or access token", "<ory_st_,ory_at_,ory_rt_,ory_ac_,ory_pat_>%b{24,}", false, unlikeWords},
		{"akamai-token", "akamai-token", "Akamai EdgeGrid token", "<akab->%l{16}-%l{16}", false, unlikeWords},
		{"defined-key", "defined-key", "Defined Networking key", "<dnkey->%l{26}-%l{52}", false, nil},
		{"discord-mfa-token", "discord-token", "Discord token of an account with two factors", "<mfa.>%b{80,90}", false, mixed},
		{"scalr-token", "scalr-token", "Scalr token", "<at_>%a{38}", false, mixed},
		{"onfido-key", "onfido-key", "Onfido key", "<api_live.,api_sandbox.,api_live_us.,api_live_ca.>%q{30,}", false, unlikeWords},
		{"mollie-key", "mollie-key", "Mollie key", "<live_,test_>%a{30,45}", false, mixed},
		{"adyen-key", "adyen-key", "Adyen key", "<AQE,AQF>%E{100,}", false, adyen},
		{"codesandbox-token", "codesandbox-token", "CodeSandbox token", "<csb_v1_>%b{40,}", false, nil},
		{"azure-hub-key", "azure-key", "Azure messaging key with signature", "%B{33}<+ASb,+AEh,AIoT,+ARm>%B{5,6}=", false, nil},
		{"azure-cache-key", "azure-key", "Azure cache key with signature", "%a{33}<AzCa>%a{5,6}=", false, nil},
		{"segment-token", "segment-token", "Segment token", "<sgp_>%a{64}", false, nil},
		{"cockroach-key", "cockroach-key", "CockroachDB Cloud key", "<CCDB1_>%b{40,}", false, nil},
		{"resend-key-plain", "resend-key", "Resend key without parts", "<re_>%a{24,36}", false, mixed},
		{"pubnub-key", "pubnub-key", "PubNub secret key", "<sec-c->%B{40,60}", false, nil},
		{"databento-key", "databento-key", "Databento key", "<db->%a{29}", false, mixed},
		{"alchemy-key", "alchemy-key", "Alchemy key", "<alcht_,alch_>%b{28,40}", false, unlikeWords},
		{"infracost-key", "infracost-key", "Infracost key", "<ico->%a{32}", false, mixed},
		{"xendit-key", "xendit-key", "Xendit secret key", "<xnd_production_,xnd_development_>%a{30,90}", false, mixed},
		{"llamacloud-key", "llamacloud-key", "LlamaCloud key", "<llx->%a{40,64}", false, nil},
		{"lichess-token", "lichess-token", "Lichess token", "<lip_,lio_>%a{20,24}", false, mixed},
		{"weblate-token", "weblate-token", "Weblate token", "<wlu_,wlp_>%a{36,40}", false, mixed},
		{"confluent-secret", "confluent-secret", "Confluent Cloud secret", "<cflt>%B{56,64}", false, mixed},
		{"unkey-key", "unkey-key", "Unkey root key", "<unkey_>%a{20,40}", false, unlikeWords},
		{"sk-underscore-key", "api-key", "key of 40 letters or more behind sk_", "<sk_,sk_car_,sk_sbx_>%b{40,64}", false, mixed},
		{"aiven-password", "aiven-password", "Aiven password or token", "<AVNS_>%b{18,30}", false, unlikeWords},
		{"yandex-static-key", "yandex-key", "Yandex Cloud static key", "<YCP,YCAJE>%b{20,40}", false, mixed},
		{"steel-key", "steel-key", "Steel key", "<ste->%a{48,64}", false, mixed},
		{"tally-key", "tally-key", "Tally key", "<tly->%a{30,44}", false, mixed},
		{"composio-key", "composio-key", "Composio key", "<ak_>%b{20}", false, mixed},
		{"brave-key", "brave-key", "Brave Search key", "<BSA>%b{28}", false, mixed},
		{"stytch-secret", "stytch-secret", "Stytch secret", "<secret-live-,secret-test->%b{30,}", false, unlikeWords},
		{"upstage-key", "upstage-key", "Upstage key", "<up_>%a{32}", false, mixed},
		{"paseto-token", "paseto-token", "encrypted PASETO token", "<v1.local.,v2.local.,v3.local.,v4.local.>%q{40,}", false, unlikeWords},
		{"gcp-authorization-code", "gcp-oauth-token", "Google authorisation code", "<4/0A>%b{40,}", false, mixed},
	}
}

// adyen accepts what has several parts in base64, as the keys have.
func adyen(secret string) bool { return strings.Contains(secret, "=-") && mixed(secret) }

// behindBar accepts a random part behind a number.
func behindBar(secret string) bool {
	_, rest, _ := strings.Cut(secret, "|")
	return unlikeWords(rest)
}
