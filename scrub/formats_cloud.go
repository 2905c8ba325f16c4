// Token formats of clouds, code hosts, registries and build services.

package scrub

// tokenSpec describes a token format; its pattern is in the notation of
// pattern.go. Prefixes and lengths are those the vendors document or issue.
type tokenSpec struct {
	name, label, about, pattern string
	tight                       bool // word borders as in the reference
	check                       func(secret string) bool
}

// seedTokens returns the token formats of the reference, in its order. Private
// keys and bearer headers, which it has too, are no tokens.
func seedTokens() []tokenSpec {
	return []tokenSpec{
		{"aws-access-key-id", "aws-key", "AWS access key id, long-term, temporary or of another kind",
			"<AKIA,ASIA,ABIA,ACCA>%u{16}", true, nil},
		{"github-token", "github-token", "GitHub token: personal, OAuth, user-to-server, server-to-server, refresh",
			"<ghp_,gho_,ghu_,ghs_,ghr_>%a{36,255}", true, notMask},
		{"anthropic-api-key", "anthropic-key", "Anthropic key", "<sk-ant->%b{20,}", true, notMask},
		{"openai-legacy-key", "openai-key", "OpenAI user key", "<sk->%a{20}T3BlbkFJ%a{20}", true, nil},
		{"openai-project-key", "openai-key", "OpenAI project key", "<sk-proj->%b{20,}", true, notMask},
		{"slack-token", "slack-token", "Slack bot, user or legacy token", "<xoxb-,xoxa-,xoxp-,xoxr-,xoxs->%h{10,}", true, notMask},
		{"discord-bot-token", "discord-token", "Discord bot token", "<M,N>%N{23,}.%W{6}.%W{27,}", true, discord},
		{"json-web-token", "jwt", "JSON web token (RFC 7519)", "<eyJ>%b{10,}.%b{10,}.%b{10,}", true, nil},
	}
}

// cloudTokens returns formats of clouds and hosting.
func cloudTokens() []tokenSpec {
	return []tokenSpec{
		{"aws-session-token", "aws-session-token", "AWS session token", "<IQoJb3JpZ2lu,FwoGZXIvYXdz,FQoGZXIvYXdz>%E{80,}", false, nil},
		{"aws-bedrock-key", "aws-bedrock-key", "Amazon Bedrock key", "<ABSK,bedrock-api-key->%B{100,}%={0,2}", false, nil},
		{"gcp-api-key", "gcp-api-key", "Google API key", "<AIza>%b{35}", false, notMask},
		{"gcp-oauth-secret", "gcp-oauth-secret", "Google OAuth client secret", "<GOCSPX->%b{24,40}", false, notMask},
		{"gcp-oauth-token", "gcp-oauth-token", "Google OAuth access token", "<ya29.>%q{24,}", false, nil},
		{"gcp-refresh-token", "gcp-oauth-token", "Google OAuth refresh token", "<1//0>%b{36,}", false, nil},
		{"gcp-hmac-key", "gcp-hmac-key", "Google Cloud Storage HMAC access id", "<GOOG1>%u{50,60}", false, nil},
		{"firebase-server-key", "gcp-api-key", "Firebase messaging server key", "AAAA%b{7}<:APA91b>%b{120,160}", false, nil},
		{"azure-client-secret", "azure-client-secret", "Azure AD client secret", "%z{3}%d<Q~>%z{31,34}", false, nil},
		{"azure-devops-token", "azure-devops-token", "Azure DevOps token with signature", "%a{76}<AZDO>%a{4}", false, nil},
		{"azure-annotated-key", "azure-key", "Azure key with signature, in letters and digits", "%a{42,52}<JQQJ99,AzSe,+ACR,+ACRA,AzCa>%a{5,26}", false, nil},
		{"azure-account-key", "azure-key", "Azure account key with signature", "%B{70,76}<+ASt,+AMC,+AEh,+ASb,+ABa,ACDb,APIM,AIoT,ARm>%B{6,7}==", false, nil},
		{"azure-function-key", "azure-key", "Azure Functions key with signature", "%b{44}<AzFu>%b{6}==", false, nil},
		{"digitalocean-token", "digitalocean-token", "DigitalOcean token", "<dop_v1_,doo_v1_,dor_v1_>%X{64}", false, nil},
		{"digitalocean-spaces-key", "digitalocean-token", "DigitalOcean Spaces access key", "<DO00>%u{16}", false, hasDigit},
		{"alibaba-key-id", "alibaba-key", "Alibaba Cloud access key id", "<LTAI>%a{12,26}", false, unlikeWords},
		{"tencent-secret-id", "tencent-key", "Tencent Cloud secret id", "<AKID>%a{32}", false, hasDigit},
		{"baidu-key", "baidu-key", "Baidu Cloud key", "<bce-v3/ALTAK->%a{20,24}/%x{40}", false, nil},
		{"yandex-key", "yandex-key", "Yandex Cloud key", "<AQVN>%b{35,38}", false, nil},
		{"yandex-iam-token", "yandex-key", "Yandex Cloud IAM token", "<t1.9eu>%b{40,}.%b{40,}", false, nil},
		{"ibm-cloud-key", "ibm-cloud-key", "IBM Cloud trusted key", "<ApiKey->%x{8}-%x{4}-%x{4}-%x{4}-%x{12}", false, nil},
		{"oracle-openshift-token", "openshift-token", "OpenShift user token", "<sha256~>%b{43}", false, nil},
		{"cloudflare-origin-ca-key", "cloudflare-key", "Cloudflare origin CA key", "<v1.0->%x{24}-%x{146}", false, nil},
		{"cloudflare-token", "cloudflare-key", "Cloudflare token or key", "<cfut_,cfat_,cfk_>%b{40,60}", false, nil},
		{"heroku-key", "heroku-key", "Heroku key", "<HRKU->%b{36,80}", false, hasDigit},
		{"vercel-token", "vercel-token", "Vercel token", "<vcp_,vci_,vca_,vcr_,vck_,vercel_blob_rw_>%b{24,70}", false, mixed},
		{"fly-token", "fly-token", "Fly.io token", "<fm1r_,fm1a_,fm2_>%E{60,}", false, nil},
		{"fly-access-token", "fly-token", "Fly.io access token", "<fo1_>%b{43}", false, nil},
		{"supabase-token", "supabase-key", "Supabase access token", "<sbp_,sbp_oauth_>%x{40}", false, nil},
		{"supabase-secret-key", "supabase-key", "Supabase secret key", "<sb_secret_>%b{20,}", false, nil},
		{"netlify-token", "netlify-token", "Netlify token", "<nfp_,nfc_,nfo_,nfb_,nfu_>%a{36,40}", false, nil},
		{"render-key", "render-key", "Render key", "<rnd_>%a{24,40}", false, mixed},
		{"scaleway-key-id", "scaleway-key", "Scaleway access key", "<SCW>%u{17}", false, hasDigit},
		{"planetscale-token", "planetscale-token", "PlanetScale token or password", "<pscale_tkn_,pscale_pw_,pscale_oauth_,pscale_app_>%z{32,64}", false, nil},
		{"neon-key", "neon-key", "Neon key or password", "<napi_,npg_>%a{12,70}", false, hasDigit},
		{"databricks-token-numbered", "databricks-token", "Databricks token with a number", "<dapi>%x{32}-%d{1,2}", false, nil},
		{"databricks-token", "databricks-token", "Databricks token", "<dapi,dkea,dose,dsapi>%x{32}", false, nil},
		{"snowflake-token", "snowflake-token", "Snowflake session token", "<ver:1-hint:>%d{3,}-ETMsDgAAA%E{60,}", false, nil},
		{"vault-token", "vault-token", "HashiCorp Vault token: service, batch, recovery", "<hvs.,hvb.,hvr.>%b{20,}", false, nil},
		{"terraform-token", "terraform-token", "Terraform Cloud token", "%a{14}<.atlasv1.>%e{60,}", false, nil},
		{"pulumi-token", "pulumi-token", "Pulumi token", "<pul->%x{40}", false, nil},
		{"doppler-token", "doppler-token", "Doppler token", "<dp.pt.,dp.ct.,dp.st.,dp.sa.,dp.said.,dp.scim.,dp.audit.>%q{40,}", false, nil},
		{"infisical-token", "infisical-token", "Infisical token", "<st.>%x{24}.%x{32}.%x{32}", false, nil},
		{"1password-service-token", "1password-token", "1Password service account token", "<ops_eyJ>%E{60,}", false, nil},
		{"1password-secret-key", "1password-key", "1Password secret key", "<A3->%u{6}-%u{6}-%u{5}-%u{5}-%u{5}-%u{5}", false, nil},
		{"1password-secret-key-joined", "1password-key", "1Password secret key", "<A3->%u{6}-%u{11}-%u{5}-%u{5}-%u{5}", false, nil},
		{"bitwarden-token", "bitwarden-token", "Bitwarden Secrets Manager token", "<0.>%x{8}-%x{4}-%x{4}-%x{4}-%x{12}.%a{30}:%E{24}", false, nil},
		{"tailscale-key", "tailscale-key", "Tailscale key", "<tskey->%s{3,10}-%a{8,}-%a{16,}", false, nil},
		{"tailscale-key-old", "tailscale-key", "Tailscale key", "<tskey->%s{3,10}-%a{16,}", false, hasDigit},
		{"kube-certificate-key", "private-key", "private key in base64, as in kubeconfig", "<LS0tLS1CRUdJTi>%E{60,}", false, encodedKey},
	}
}

// codeTokens returns formats of code hosts, registries and builds.
func codeTokens() []tokenSpec {
	return []tokenSpec{
		{"github-fine-grained-token", "github-token", "GitHub fine-grained token", "<github_pat_>%w{36,255}", false, notMask},
		{"gitlab-token", "gitlab-token", "GitLab token, routable ones too",
			"<glpat-,gldt-,glrt-,glrtr-,glcbt-,glptt-,glft-,glimt-,glagent-,glsoat-,gloas-,glffct-,glwt->%q{20,}", false, unlikeWords},
		{"gitlab-runner-token", "gitlab-token", "GitLab runner registration token", "<GR1348941>%b{20,}", false, nil},
		{"atlassian-token", "atlassian-token", "Atlassian or Bitbucket token", "<ATATT3,ATCTT3,ATSTT3,ATBTT3>%e{40,}", false, nil},
		{"bitbucket-app-password", "bitbucket-password", "Bitbucket app password", "<ATBB>%a{32}", false, nil},
		{"trello-token", "trello-token", "Trello token", "<ATTA>%X{72}", false, nil},
		{"npm-token", "npm-token", "npm token", "<npm_>%a{36}", false, nil},
		{"pypi-token", "pypi-token", "PyPI token", "<pypi-Ag>%b{50,}", false, nil},
		{"rubygems-key", "rubygems-key", "RubyGems key", "<rubygems_>%x{48}", false, nil},
		{"crates-token", "crates-token", "token of the registry of Rust crates", "<cio>%a{32}", false, mixed},
		{"nuget-key", "nuget-key", "NuGet key", "<oy2>%l{43}", false, nil},
		{"docker-token", "docker-token", "Docker Hub token", "<dckr_pat_,dckr_oat_>%b{24,40}", false, nil},
		{"clojars-token", "clojars-token", "Clojars token", "<CLOJARS_>%x{60}", false, nil},
		{"packagist-token", "packagist-token", "Packagist token", "<packagist_uut_,packagist_ack_,packagist_out_>%x{40,70}", false, nil},
		{"jfrog-key", "jfrog-key", "JFrog Artifactory key", "<AKCp>%a{60,75}", false, mixed},
		{"jfrog-reference-token", "jfrog-key", "JFrog reference token", "<cmVmdGtu>%a{56}", false, nil},
		{"buildkite-token", "buildkite-token", "Buildkite token", "<bkua_,bkct_,bkaj_>%b{36,64}", false, nil},
		{"circleci-token", "circleci-token", "CircleCI token", "<CCIPAT_,CCIPRJ_>%a{20,24}_%x{40}", false, nil},
		{"sonar-token", "sonar-token", "SonarQube token", "<squ_,sqp_,sqa_>%x{40}", false, nil},
		{"sourcegraph-token", "sourcegraph-token", "Sourcegraph token", "<sgp_>%x{40}", false, nil},
		{"sourcegraph-token-instance", "sourcegraph-token", "Sourcegraph token of one instance", "<sgp_>%a{5,16}_%x{40}", false, nil},
		{"sourcegraph-cloud-token", "sourcegraph-token", "Sourcegraph Cody token", "<slk_>%x{64}", false, nil},
		{"octopus-key", "octopus-key", "Octopus Deploy key", "<API->%u{25,40}", false, hasDigit},
		{"harness-token", "harness-token", "Harness token", "<pat.,sat.>%b{22}.%x{24}.%a{20}", false, nil},
		{"prefect-key", "prefect-key", "Prefect key", "<pnu_,pnb_>%a{36}", false, nil},
		{"postman-key", "postman-key", "Postman key", "<PMAK->%x{24}-%x{34}", false, nil},
		{"readme-key", "readme-key", "ReadMe key", "<rdme_>%l{70}", false, nil},
		{"snyk-token", "snyk-token", "Snyk token", "<snyk_uat.,snyk_sat.>%q{30,}", false, nil},
		{"semgrep-token", "semgrep-token", "Semgrep token", "<sgp_v1_,sg_v1_>%a{32,}", false, nil},
		{"age-secret-key", "age-secret-key", "age secret key", "<AGE-SECRET-KEY-1,AGE-SECRET-KEY-PQ-1>%u{58,}", false, nil},
		{"age-plugin-identity", "age-secret-key", "age plugin identity", "<AGE-PLUGIN->%u{2,16}-1%u{30,}", false, nil},
		{"nostr-key", "nostr-key", "Nostr secret key", "<nsec1>%l{58}", false, nil},
		{"extended-private-key", "wallet-key", "extended private key of a wallet (BIP 32)", "<xprv,yprv,zprv,tprv>%a{107,108}", false, nil},
		{"json-web-encryption", "jwt", "encrypted JSON web token (RFC 7516)", "<eyJ>%b{10,}.%b{0,}.%b{10,}.%b{10,}.%b{10,}", false, nil},
	}
}
