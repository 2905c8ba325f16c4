// Formats of vendors' credentials, as templates that are filled at run time.
package scrub

// {<class><n>} in a template stands for n random characters: w letters and digits,
// s those with - and _, b those of base64, l small letters and digits, a small
// letters, U capitals and digits, 2 base32, h hexadecimal, H the same in capitals,
// d digits, A letters, 5 base58; {uuid} is an identifier. A first word names the format.
const tokenFormats = `
aws-akia AKIA{216}
aws-asia ASIA{216}
aws-abia ABIA{216}
aws-acca ACCA{216}
aws-bedrock ABSKQmVkcm9ja0FQSUtleS{b110}=
gcp-api AIza{s35}
gcp-oauth GOCSPX-{s28}
gcp-access ya29.a0{s120}
gcp-refresh 1//0{s60}
azure-ad {w3}8Q~{s34}
azure-storage {b76}+ASt{b6}==
azure-sb {b33}+ASb{b6}=
azure-eh {b33}+AEh{b6}=
azure-iot {b33}AIoT{b6}=
azure-cosmos {w76}ACDb{w6}==
azure-search {w42}AzSe{w6}
azure-func {s44}AzFu{s6}==
azure-acr {w42}+ACR{U6}
azure-redis {w33}AzCa{w6}=
azure-devops {w52}JQQJ99{U18}AZDO{w4}
azure-openai {w52}JQQJ99{U18}ACOG{w4}
do-pat dop_v1_{h64}
do-oauth doo_v1_{h64}
do-refresh dor_v1_{h64}
alibaba LTAI5t{w18}
tencent AKID{w32}
yandex-api AQVN{s36}
yandex-oauth y0_{s55}
yandex-iam t1.9eu{s200}.{s86}
yandex-static YCP{s37}
cf-origin v1.0-{h24}-{h146}
fly-fm2 fm2_{b200}
fly-fo1 fo1_{s43}
heroku HRKU-AA{s58}
netlify nfp_{w36}
render rnd_{w28}
supabase-pat sbp_{h40}
supabase-secret sb_secret_{s22}_{s8}
planetscale-tkn pscale_tkn_{s43}
planetscale-pw pscale_pw_{s43}
planetscale-oauth pscale_oauth_{s43}
neon napi_{l64}
atlas mdb_sa_sk_{s40}
databricks dapi{h32}
databricks-2 dapi{h32}-2
aiven AVNS_{s20}
cockroach CCDB1_{w22}_{w40}
confluent cflt{w60}
grafana-cloud glc_eyJ{w120}==
grafana-sa glsa_{w32}_{h8}
newrelic-user NRAK-{U27}
newrelic-lic {h36}NRAL
newrelic-insert NRII-{s32}
dynatrace dt0c01.{U24}.{U64}
dynatrace-s dt0s01.{U24}.{U64}
sentry-user sntryu_{h64}
sentry-org sntrys_eyJ{w140}={w1}_{w43}
honeycomb hcaik_01{l24}{l32}
axiom xaat-{uuid}
axiom-pat xapt-{uuid}
launchdarkly-sdk sdk-{uuid}
launchdarkly-api api-{uuid}
posthog phx_{w43}
segment sgp_{w64}
prefect pnu_{w36}
prefect-bot pnb_{w36}
terraform {w14}.atlasv1.{s67}
pulumi pul-{h40}
doppler-pt dp.pt.{w43}
doppler-st dp.st.dev.{w43}
doppler-sa dp.sa.{w43}
doppler-ct dp.ct.{w43}
vault-hvs hvs.{s90}
vault-hvb hvb.{s140}
vault-hvr hvr.{s90}
1password-sa ops_eyJ{w300}
1password-key A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}
tailscale-auth tskey-auth-k{w11}CNTRL-{w32}
tailscale-api tskey-api-k{w11}CNTRL-{w32}
tailscale-client tskey-client-k{w11}CNTRL-{w32}
ghp ghp_{w36}
gho gho_{w36}
ghu ghu_{w36}
ghs ghs_{w36}
ghr ghr_{w76}
github-pat github_pat_{w22}_{w59}
glpat glpat-{s20}
glpat-routable glpat-{s27}.01.{l9}
gldt gldt-{s20}
glrt glrt-{s20}
glptt glptt-{h40}
glcbt glcbt-{w2}_{s20}
glimt glimt-{s25}
glft glft-{s20}
glagent glagent-{s50}
gloas gloas-{h64}
glsoat glsoat-{s20}
glffct glffct-{s20}
glrunner GR1348941{s20}
bitbucket ATBB{w32}
bitbucket-repo ATCTT3xFfGN0{s150}={H8}
atlassian ATATT3xFfGF0{s170}={H8}
sourcegraph sgp_{h16}_{h40}
sourcegraph-local sgp_local_{h40}
buildkite bkua_{h40}
circleci CCIPAT_{522}_{h40}
circleci-prj CCIPRJ_{522}_{h40}
sonar-p sqp_{h40}
sonar-u squ_{h40}
sonar-a sqa_{h40}
snyk snyk_uat.{h8}.{s200}
docker-pat dckr_pat_{s27}
docker-oat dckr_oat_{s32}
npm npm_{w36}
pypi pypi-AgEIcHlwaS5vcmc{s150}
pypi-test pypi-AgENdGVzdC5weXBpLm9yZw{s150}
rubygems rubygems_{h48}
crates cio{w32}
nuget oy2{l43}
clojars CLOJARS_{h60}
artifactory AKCp8{w68}
jfrog-ref cmVmdGtuOj{w54}
postman PMAK-{h24}-{h34}
readme rdme_{l70}
figma figd_{s40}
notion ntn_{d11}{w35}
notion-old secret_{w43}
airtable pat{w14}.{h64}
asana 1/{d16}:{h32}
asana-2 2/{d16}/{d16}:{h32}
linear lin_api_{w40}
linear-oauth lin_oauth_{h64}
clickup pk_{d8}_{U32}
trello ATTA{h64}{H8}
typeform tfp_{w44}_{w14}
hubspot pat-na1-{uuid}
hubspot-eu pat-eu1-{uuid}
salesforce 00D{w12}!AQ{s5}.{s80}
contentful CFPAT-{s43}
shopify-at shpat_{h32}
shopify-ca shpca_{h32}
shopify-pa shppa_{h32}
shopify-ss shpss_{h32}
square-atp sq0atp-{s22}
square-csp sq0csp-{s43}
square-eaaa EAAAl{s59}
stripe-live sk_live_51{w97}
stripe-short sk_live_{w24}
stripe-test sk_test_51{w97}
stripe-rk rk_live_51{w97}
stripe-wh whsec_{w32}
stripe-org sk_org_live_{w40}
paypal-bt access_token$production${l16}${h32}
adyen AQE{w5}{b80}=-{b43}=-{s16}
plaid access-sandbox-{uuid}
plaid-prod access-production-{uuid}
flutterwave FLWSECK-{h32}-X
flutterwave-t FLWSECK_TEST-{h32}-X
paystack sk_live_{h40}
mollie live_{w30}
lob live_{h35}
easypost EZAK{h54}
easypost-t EZTK{h54}
shippo shippo_live_{h40}
duffel duffel_live_{s43}
paddle pdl_live_apikey_01{l24}_{w22}_{w3}
xendit xnd_production_{w60}
mercadopago APP_USR-{d16}-{d6}-{h32}-{d9}
razorpay rzp_live_{w14}
twilio-sk SK{h32}
sendgrid SG.{s22}.{s43}
mailgun key-{h32}
mailgun-new {h32}-{h8}-{h8}
mailchimp {h32}-us14
mandrill md-{s22}
brevo xkeysib-{h64}-{w16}
brevo-smtp xsmtpsib-{h64}-{w16}
resend re_{w8}_{w24}
telnyx KEY01{H30}_{w22}
slack-bot xoxb-{d12}-{d13}-{w24}
slack-user xoxp-{d12}-{d12}-{d13}-{h32}
slack-refresh xoxe-1-{b146}
slack-exe xoxe.xoxb-1-{b166}
slack-app xapp-1-A{U10}-{d13}-{h64}
slack-client xoxc-{d12}-{d12}-{d12}-{h64}
slack-cookie xoxd-{w60}%2B{w60}%3D
slack-hook https://hooks.slack.com/services/T{U10}/B{U10}/{w24}
slack-wf https://hooks.slack.com/workflows/T{U10}/A{U10}/{d18}/{w24}
discord-bot MT{w24}.G{w5}.{s38}
discord-mfa mfa.{s84}
discord-hook https://discord.com/api/webhooks/{d19}/{s68}
telegram {d10}:AA{s33}
teams-hook https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}
zapier-hook https://hooks.zapier.com/hooks/catch/{d7}/{l7}/
google-chat https://chat.googleapis.com/v1/spaces/AAAA{s7}/messages?key=AIza{s35}&token={s43}
twitch oauth:{l30}
facebook EAAC{w170}
facebook-g EAAG{w170}
facebook-app {d15}|{s27}
instagram IGQV{w130}
twitter-bearer AAAAAAAAAAAAAAAAAAAAA{w30}%3D{w45}
linkedin WPL_AP1.{w16}.{w8}==
openai-old sk-{w20}T3BlbkFJ{w20}
openai-proj sk-proj-{s74}T3BlbkFJ{s74}
openai-svc sk-svcacct-{s74}T3BlbkFJ{s74}
openai-admin sk-admin-{s74}T3BlbkFJ{s74}
anthropic sk-ant-api03-{s93}AA
anthropic-admin sk-ant-admin01-{s93}AA
anthropic-oat sk-ant-oat01-{s93}AA
anthropic-ort sk-ant-ort01-{s93}AA
anthropic-sid sk-ant-sid01-{s93}AA
xai xai-{w80}
groq gsk_{w52}
perplexity pplx-{w48}
huggingface hf_{A34}
huggingface-org api_org_{A34}
replicate r8_{w37}
together tgp_v1_{s43}
fireworks fw_{w22}
deepseek sk-{h32}
moonshot sk-{w48}
openrouter sk-or-v1-{h64}
langsmith lsv2_pt_{h32}_{h10}
langsmith-sk lsv2_sk_{h32}_{h10}
langfuse sk-lf-{uuid}
elevenlabs sk_{h48}
pinecone pcsk_{w5}_{w63}
cerebras csk-{l48}
nvidia nvapi-{s64}
voyage pa-{s43}
jina jina_{h32}{s28}
tavily tvly-{w32}
tavily-dev tvly-dev-{w32}
firecrawl fc-{h32}
apify apify_api_{w36}
llamacloud llx-{w48}
cursor key_{h64}
runpod rpa_{U46}
helicone sk-helicone-{l7}-{l7}-{l7}-{l7}
mapbox sk.eyJ1Ijoi{w70}.{s22}
age AGE-SECRET-KEY-1{U58}
bitcoin-xprv xprv9s21ZrQH143K{596}
nostr nsec1{l58}
alchemy alcht_{w30}
akamai akab-{l16}-{l16}
dropbox sl.B{s136}
firebase AAAA{s7}:APA91b{s134}
pubnub sec-c-{b48}
jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIi{w40}.{s43}
jwe eyJhbGciOiJkaXIi{w20}..{s16}.{s80}.{s22}
wakatime waka_{uuid}
rapidapi {h10}msh{h15}p1{h6}jsn{h12}
scalr at_{w38}
databento db-{w29}
ubidots BBFF-{w30}
frameio fio-u-{s64}
doppler-scim dp.scim.{w43}
doppler-audit dp.audit.{w43}
netlify-oauth nfo_{w36}
netlify-build nfb_{w36}
sendinblue xkeysib-{h64}-{w16}
gitea-actions ghs_{w36}
codesandbox csb_v1_{s43}
defined-net dnkey-{l26}-{l52}
harness pat.{w22}.{h24}.{w20}
infracost ico-{w32}
intra42 s-s4t2ud-{h64}
lichess lip_{w20}
maxmind {w6}_{w29}_mmk
onfido api_live.{s11}.{s32}
openshift sha256~{s43}
polar polar_pat_{w43}
polar-oat polar_oat_{w43}
privateai {l0}pdl_sdbx_apikey_01{l24}_{w22}_{w3}
settlemint sm_aat_{w16}
shodan-like PMAK-{h24}-{h34}
sidekiq {h0}ghp_{w36}
sourcehut-like glpat-{s20}
tines-like xoxb-{d11}-{d11}-{w24}
vercel-blob vercel_blob_rw_{w16}_{w30}
weblate wlu_{w36}
workos sk_live_{w80}
convex prod:{a5}-{a6}-{d3}|eyJ2{w60}
trigger tr_prod_{w20}
inngest signkey-prod-{h64}
unkey unkey_{522}
clerk sk_test_{w42}
resend-short re_{w32}
meraki-like glc_eyJ{w100}
ory ory_pat_{s32}
ory-st ory_st_{s32}
zuplo zpka_{h32}_{h8}
cloudflare-user cfut_{w40}{h8}
mistral-like csk-{l48}
docusign-like sk-or-v1-{h64}
deepinfra-like nvapi-{s64}
expo-like hf_{A34}
postmark-like md-{s22}
databricks-oauth dose{h32}
percy web_{h64}
circle-token SAND_API_KEY:{h32}:{h32}
circle-live LIVE_API_KEY:{h32}:{h32}
travisci-like pul-{h40}
buildkite-agent bkaj_{s40}
rootly rootly_{h64}
tally tly-{w32}
cal cal_live_{h32}
typesense-like sqp_{h40}
flagsmith ser.{w22}
mux-like shpat_{h32}
browserstack-like pnu_{w36}
e2b e2b_{h40}
steel ste-{w60}
browserbase bb_live_{s27}
composio ak_{s20}
hume-like fw_{w22}
mem0 m0-{w40}
zep z_1dW{w20}.{w60}
groq-like gsk_{w52}
lovable-like sbp_{h40}
`

// In these the secret stands between ⟦ and ⟧.
const namedFormats = `
aws-secret AWS_SECRET_ACCESS_KEY=⟦{b40}⟧
aws-secret-ini aws_secret_access_key = ⟦{b40}⟧
aws-session aws_session_token=⟦IQoJb3JpZ2luX2Vj{b300}⟧
aws-csv AKIAIOSFODNN7EXAMPLF,⟦{b40}⟧
azure-conn DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=⟦{b86}==⟧;EndpointSuffix=core.windows.net
azure-sb-conn Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=⟦{b43}=⟧
azure-sas https://acme.blob.core.windows.net/c/f.txt?sv=2022-11-02&se=2025-01-01&sr=b&sp=r&sig=⟦{w30}%2B{w12}%3D⟧
cosmos AccountEndpoint=https://acme.documents.azure.com:443/;AccountKey=⟦{b86}==⟧;
ado-conn Server=tcp:db,1433;Initial Catalog=app;User ID=sa;Password=⟦{w10}!{w5}⟧;Encrypt=True;
ado-pwd Data Source=db;Uid=root;Pwd=⟦{w14}⟧;
odbc DRIVER={PostgreSQL};SERVER=db;UID=app;PWD=⟦{w16}⟧
jdbc jdbc:mysql://db:3306/app?user=app&password=⟦{w16}⟧&useSSL=false
jdbc-oracle jdbc:oracle:thin:scott/⟦{w14}⟧@//db:1521/XE
jdbc-sqlserver jdbc:sqlserver://db:1433;databaseName=a;user=sa;password=⟦{w14}⟧;encrypt=true
libpq host=db port=5432 user=app password=⟦{w16}⟧ dbname=app
pgpass db.example.org:5432:app:appuser:⟦{w16}⟧
netrc machine api.heroku.com login bob@acme.io password ⟦{w24}⟧
url-postgres postgres://app:⟦{w16}⟧@db.acme.io:5432/app
url-postgresql postgresql+asyncpg://app:⟦{w16}⟧@db/app
url-mysql mysql://root:⟦{w12}⟧@127.0.0.1/app
url-mysql2 mysql2://root:⟦{w12}⟧@127.0.0.1/app
url-mongo mongodb+srv://admin:⟦{w16}⟧@cluster0.ab1cd.mongodb.net/?retryWrites=true
url-redis redis://:⟦{w32}⟧@cache:6379/0
url-rediss rediss://default:⟦{w32}⟧@cache.upstash.io:6379
url-amqp amqp://guest:⟦{w14}⟧@mq:5672/%2F
url-amqps amqps://u:⟦{w32}⟧@mq/vh
url-https https://bob:⟦{w14}⟧@git.acme.io/team/repo.git
url-ftp ftp://bob:⟦{w10}⟧@ftp.acme.io/pub
url-sftp sftp://bob:⟦{w10}⟧@ftp.acme.io:22/pub
url-smtp smtp://mailer:⟦{w16}⟧@smtp.acme.io:587
url-smtps smtps://mailer%40acme.io:⟦{w16}⟧@smtp.acme.io:465
url-ldap ldap://cn=admin:⟦{w12}⟧@ldap.acme.io
url-imap imaps://joe:⟦{w12}⟧@imap.acme.io
url-mqtt mqtt://dev:⟦{w12}⟧@broker:1883
url-nats nats://app:⟦{w12}⟧@nats:4222
url-clickhouse clickhouse://default:⟦{w12}⟧@ch:9000/db
url-mssql mssql+pyodbc://sa:⟦{w12}⟧@db/app?driver=ODBC
url-snowflake snowflake://bob:⟦{w12}⟧@xy12345.eu-central-1/db
url-ssh ssh://bob:⟦{w12}⟧@host:22
url-socks socks5://proxy:⟦{w12}⟧@10.0.0.1:1080
url-http-proxy http_proxy=http://joe:⟦{w12}⟧@proxy:3128
url-enc postgres://app:⟦{w6}%40{w4}%23{w2}⟧@db/app
url-special postgres://app:⟦{w5}!{w3}${w4}⟧@db/app
url-token-user https://⟦{h40}⟧@raw.acme.io/x/y
url-oauth2 https://oauth2:⟦{w24}⟧@gitlab.acme.io/a/b.git
url-xoauth https://x-access-token:⟦{w40}⟧@github.com/a/b.git
url-sentry-dsn https://{h32}:⟦{h32}⟧@sentry.acme.io/3
url-cloudinary cloudinary://{d15}:⟦{s27}⟧@acme
url-docker https://_json_key:⟦{w30}⟧@gcr.io
query-key https://api.acme.io/v1/x?api_key=⟦{w32}⟧&q=1
query-token https://api.acme.io/v1/x?q=1&access_token=⟦{w40}⟧
query-apikey https://api.acme.io/x?apikey=⟦{h32}⟧
query-token2 wss://api.acme.io/ws?token=⟦{w40}⟧
query-secret https://api.acme.io/x?client_id=12&client_secret=⟦{w32}⟧
query-sig https://s3.amazonaws.com/b/k?X-Amz-Credential=a&X-Amz-Signature=⟦{h64}⟧
query-code https://acme.azurewebsites.net/api/f?code=⟦{b54}==⟧
bearer Authorization: Bearer ⟦{w40}⟧
bearer-curl curl -H "Authorization: Bearer ⟦{s43}⟧" https://api.acme.io
basic Authorization: Basic ⟦YWRtaW46{b24}⟧
proxy-auth Proxy-Authorization: Basic ⟦YWRtaW46{b24}⟧
token-auth Authorization: Token ⟦{h40}⟧
apikey-auth Authorization: ApiKey ⟦{b58}==⟧
bare-auth Authorization: ⟦{w40}⟧
x-api-key X-Api-Key: ⟦{w40}⟧
x-auth X-Auth-Token: ⟦{h32}⟧
private-token PRIVATE-TOKEN: ⟦{s20}⟧
dd-header DD-API-KEY: ⟦{h32}⟧
sub-key Ocp-Apim-Subscription-Key: ⟦{h32}⟧
vault-header X-Vault-Token: ⟦{w26}⟧
goog-header x-goog-api-key: ⟦{s39}⟧
xi-header xi-api-key: ⟦{h32}⟧
cookie Cookie: sessionid=⟦{l32}⟧
setcookie Set-Cookie: session=⟦{s60}⟧; Path=/; HttpOnly
cookie-many Cookie: theme=dark; _gh_sess=⟦{w80}⟧; lang=en
cookie-php Cookie: PHPSESSID=⟦{l26}⟧
cookie-j JSESSIONID=⟦{H32}⟧
cookie-connect connect.sid=⟦s%3A{s32}.{w43}⟧
cookie-laravel laravel_session=⟦eyJpdiI6{w150}⟧
csrf X-CSRF-Token: ⟦{w40}⟧
digest-pw htpasswd -b .htpasswd bob ⟦{w12}⟧
curl-u curl -u admin:⟦{w14}⟧ https://acme.io
curl-u2 curl --user 'admin:⟦{w14}⟧' https://acme.io
curl-uj curl -uadmin:⟦{w14}⟧ https://acme.io
mysql-p mysql -uroot -p⟦{w12}⟧ app
mysql-pw mysql --user=root --password=⟦{w12}⟧ app
flag-password deploy --user bob --password ⟦{w14}⟧ --force
flag-token deploy --token ⟦{w40}⟧
flag-token-eq deploy --token=⟦{w40}⟧
flag-apikey deploy --api-key ⟦{w40}⟧
flag-secret deploy --client-secret "⟦{w40}⟧"
docker-login docker login -u bob -p ⟦{w20}⟧ registry.acme.io
docker-stdin echo ⟦{w20}⟧ | docker login -u bob --password-stdin
sshpass sshpass -p ⟦{w12}⟧ ssh root@host
sshpass-q sshpass -p '⟦{w6}!{w5}⟧' ssh root@host
redis-cli redis-cli -h cache -a ⟦{w32}⟧ ping
pgpassword PGPASSWORD=⟦{w12}⟧ psql -h db
mysql-env MYSQL_PWD=⟦{w12}⟧ mysqldump app
openssl openssl enc -k ⟦{w14}⟧ -in x
openssl-pass openssl rsa -passin pass:⟦{w14}⟧ -in k.pem
keytool keytool -storepass ⟦{w14}⟧ -list
keytool2 keytool -list -keystore a.jks -keypass ⟦{w14}⟧
az-login az login --service-principal -u {uuid} -p ⟦{w34}⟧ --tenant {uuid}
ldapsearch ldapsearch -D cn=admin -w ⟦{w14}⟧ -b dc=x
smbclient smbclient //srv/share -U bob%⟦{w12}⟧
wget wget --http-password=⟦{w14}⟧ --http-user=bob https://x
rsync RSYNC_PASSWORD=⟦{w14}⟧ rsync a b
ansible ansible_ssh_pass=⟦{w14}⟧
ansible-become ansible_become_password: ⟦{w14}⟧
net-use net use Z: \\srv\share ⟦{w12}⟧ /user:bob
powershell ConvertTo-SecureString "⟦{w14}⟧" -AsPlainText -Force
kubectl kubectl create secret generic db --from-literal=password=⟦{w16}⟧
kubectl-token kubectl config set-credentials bob --token=⟦{w40}⟧
helm helm install x --set auth.password=⟦{w16}⟧
gh-secret gh secret set API_KEY --body "⟦{w32}⟧"
heroku-set heroku config:set SECRET_KEY=⟦{w50}⟧
export export API_TOKEN=⟦{w40}⟧
setx setx API_TOKEN "⟦{w40}⟧"
fish set -x API_TOKEN ⟦{w40}⟧
ps-env $env:API_TOKEN = "⟦{w40}⟧"
docker-env docker run -e DB_PASSWORD=⟦{w16}⟧ img
docker-arg ARG NPM_TOKEN=⟦{w36}⟧
docker-envd ENV DB_PASSWORD ⟦{w16}⟧
sql-identified CREATE USER 'app'@'%' IDENTIFIED BY '⟦{w14}⟧';
sql-alter ALTER USER app WITH PASSWORD '⟦{w14}⟧';
sql-oracle CREATE USER app IDENTIFIED BY ⟦{w14}⟧ DEFAULT TABLESPACE x;
sql-login CREATE LOGIN app WITH PASSWORD = '⟦{w14}⟧';
sql-setpw SET PASSWORD FOR 'app'@'%' = PASSWORD('⟦{w14}⟧');
sql-grant GRANT ALL ON *.* TO 'a'@'%' IDENTIFIED BY "⟦{w14}⟧" WITH GRANT OPTION;
wifi WIFI:T:WPA;S:HomeNet;P:⟦{w14}⟧;;
wifi-order WIFI:S:Home Net;T:WPA;P:⟦{w14}⟧;H:false;;
wpa psk="⟦{w14}⟧"
wifi-say wifi password: ⟦{w10}⟧
otpauth otpauth://totp/Acme:bob@acme.io?secret=⟦{232}⟧&issuer=Acme
otpauth2 otpauth://hotp/x?issuer=A&secret=⟦{216}⟧&counter=1
totp-say TOTP secret: ⟦{232}⟧
seed-12 seed phrase: ⟦abandon ritual clay orbit velvet zebra hammer pencil quantum mercy lunar sibling⟧
seed-mn mnemonic: "⟦stable lens coral output junk wrestle toddler island cactus draw pepper nurse⟧"
seed-24 recovery phrase: ⟦stable lens coral output junk wrestle toddler island cactus draw pepper nurse ozone media uncle raven fiscal gauge tobacco nephew lemon shrug helmet panel⟧
seed-env MNEMONIC="⟦stable lens coral output junk wrestle toddler island cactus draw pepper nurse⟧"
twilio-pair twilio login AC{h32} ⟦{h32}⟧
twilio-code Client('AC{h32}', '⟦{h32}⟧')
twilio-env TWILIO_AUTH_TOKEN=⟦{h32}⟧
bot-url https://api.telegram.org/bot⟦{d10}:AA{s33}⟧/getMe
p12 PKCS12_BASE64=⟦MIIJ{b400}⟧
p12-cert CERTIFICATE_P12=⟦MIIK{b600}⟧
keystore-b64 ANDROID_KEYSTORE_BASE64=⟦MIIJ{b400}⟧
wireguard PrivateKey = ⟦{b42}A=⟧
wg-psk PresharedKey = ⟦{b42}A=⟧
eth-pk PRIVATE_KEY=⟦0x{h64}⟧
eth-pk2 private key: ⟦{h64}⟧
django SECRET_KEY = '⟦django-insecure-{l30}^&{l18}⟧'
rails secret_key_base: ⟦{h128}⟧
rails-master RAILS_MASTER_KEY=⟦{h32}⟧
laravel APP_KEY=⟦base64:{b43}=⟧
nextauth NEXTAUTH_SECRET=⟦{b43}=⟧
jwt-secret JWT_SECRET=⟦{w48}⟧
session-secret SESSION_SECRET: ⟦{w32}⟧
encryption-key ENCRYPTION_KEY=⟦{h64}⟧
datadog DD_API_KEY=⟦{h32}⟧
datadog-app DD_APP_KEY=⟦{h40}⟧
cf-key CF_API_KEY=⟦{h37}⟧
cf-token CLOUDFLARE_API_TOKEN=⟦{s40}⟧
linode LINODE_TOKEN=⟦{h64}⟧
hetzner HCLOUD_TOKEN=⟦{w64}⟧
scaleway SCW_SECRET_KEY=⟦{uuid}⟧
railway RAILWAY_TOKEN=⟦{uuid}⟧
splunk Authorization: Splunk ⟦{uuid}⟧
heroku-old HEROKU_API_KEY=⟦{uuid}⟧
postmark X-Postmark-Server-Token: ⟦{uuid}⟧
opsgenie Authorization: GenieKey ⟦{uuid}⟧
pagerduty PAGERDUTY_TOKEN=⟦u+{s18}⟧
okta Authorization: SSWS ⟦00{s40}⟧
algolia ALGOLIA_ADMIN_KEY=⟦{h32}⟧
cohere COHERE_API_KEY=⟦{w40}⟧
mistral MISTRAL_API_KEY=⟦{w32}⟧
wandb WANDB_API_KEY=⟦{h40}⟧
wandb-login wandb login ⟦{h40}⟧
deepgram DEEPGRAM_API_KEY=⟦{h40}⟧
spotify SPOTIFY_CLIENT_SECRET=⟦{h32}⟧
auth0 AUTH0_CLIENT_SECRET=⟦{s64}⟧
influx INFLUX_TOKEN=⟦{s86}==⟧
npmrc //registry.acme.io/:_authToken=⟦{uuid}⟧
npmrc-pw //npm.acme.io/:_password="⟦{b24}⟧"
npmrc-auth _auth=⟦YWRtaW46{b24}⟧
dockercfg {"auths":{"reg.acme.io":{"auth":"⟦Ym9iOm{b26}⟧"}}}
pip-conf index-url = https://__token__:⟦{w40}⟧@pypi.acme.io/simple
maven <password>⟦{w16}⟧</password>
maven-server <server><id>x</id><username>bob</username><password>⟦{w16}⟧</password></server>
nuget-cfg <add key="ClearTextPassword" value="⟦{w20}⟧" />
web-config <add name="db" connectionString="Server=a;User Id=sa;Password=⟦{w14}⟧" />
app-settings <add key="ApiSecret" value="⟦{w32}⟧"/>
gradle signingPassword=⟦{w14}⟧
gradle-kts keyPassword = "⟦{w14}⟧"
gha ${{ secrets.X }} token: ⟦{w40}⟧
htpasswd-say login bob / password ⟦{w12}⟧
chat-pw my password is ⟦{w12}⟧
chat-pw2 the new root pw: ⟦{w10}!⟧
chat-creds creds are bob:⟦{w12}⟧ for staging
chat-key here's the api key ⟦{w32}⟧ thanks
chat-de Das Passwort lautet ⟦{w12}⟧
chat-fr le mot de passe est ⟦{w12}⟧
chat-es la contraseña es ⟦{w12}⟧
chat-ru пароль: ⟦{w12}⟧
chat-zh 密码是⟦{w12}⟧
chat-ja パスワード:⟦{w12}⟧
chat-pin door code / passphrase: ⟦{w12}⟧
snmp snmp-server community ⟦{w12}⟧ RO
cisco username bob password 0 ⟦{w12}⟧
cisco-enable enable secret 0 ⟦{w12}⟧
k8s-yaml stringData:\n  password: ⟦{w16}⟧
k8s-b64 data:\n  password: ⟦{b24}⟧
k8s-pair - name: DB_PASSWORD\n  value: "⟦{w16}⟧"
toml-pair password = "⟦{w16}⟧"
hcl variable "db_password" { default = "⟦{w16}⟧" }
tfvars db_password = "⟦{w16}⟧"
plist <key>ApiSecret</key>\n<string>⟦{w32}⟧</string>
android <string name="api_secret">⟦{w32}⟧</string>
properties spring.datasource.password=⟦{w16}⟧
ini-colon password : ⟦{w16}⟧
lua password = [[⟦{w16}⟧]]
perl password => '⟦{w16}⟧',
php define('DB_PASSWORD', '⟦{w16}⟧');
php-arr 'password' => '⟦{w16}⟧',
go-struct Password: "⟦{w16}⟧",
go-const const apiKey = "⟦{w32}⟧"
rust let api_key: &str = "⟦{w32}⟧";
java private static final String API_KEY = "⟦{w32}⟧";
csharp public string ApiKey { get; set; } = "⟦{w32}⟧";
swift let apiKey: String = "⟦{w32}⟧"
kotlin val apiKey: String = "⟦{w32}⟧"
ts const apiKey: string = '⟦{w32}⟧';
js headers: { 'x-api-key': '⟦{w32}⟧' }
py-dict {"password": "⟦{w16}⟧", "user": "bob"}
py-kw connect(user="bob", password="⟦{w16}⟧")
ruby-sym password: '⟦{w16}⟧',
ruby-rocket :password => '⟦{w16}⟧'
r-set Sys.setenv(API_KEY = "⟦{w32}⟧")
elixir config :app, secret_key_base: "⟦{b64}⟧"
scala val password = "⟦{w16}⟧"
c #define API_KEY "⟦{w32}⟧"
matlab api_key = '⟦{w32}⟧';
vb Dim password As String = "⟦{w16}⟧"
setter client.setPassword("⟦{w16}⟧");
env-get os.environ["API_KEY"] = "⟦{w32}⟧"
process-env process.env.API_KEY = '⟦{w32}⟧'
default-arg os.getenv("API_KEY", "⟦{w32}⟧")
or-default const key = process.env.API_KEY || "⟦{w32}⟧";
cmp if (password == "⟦{w16}⟧")
json-esc {\"password\":\"⟦{w16}⟧\"}
json-esc2 {\\\"password\\\":\\\"⟦{w16}⟧\\\"}
html-esc &quot;password&quot;:&quot;⟦{w16}⟧&quot;
html-input <input type="password" name="p" value="⟦{w16}⟧">
urlenc username=bob&password=⟦{w16}⟧
urlenc2 password%3D⟦{w16}⟧%26user
md-table | password | ⟦{w16}⟧ |
md-tick **Password:** ` + "`⟦{w16}⟧`" + `
md-bold **API key**: ⟦{w32}⟧
xml-attr <db user="bob" password="⟦{w16}⟧"/>
logfmt level=info msg=login password=⟦{w16}⟧ user=bob
redis-conf requirepass ⟦{w32}⟧
redis-auth AUTH ⟦{w32}⟧
smtp-auth AUTH PLAIN ⟦AGJvYgB{b20}⟧
haproxy stats auth admin:⟦{w14}⟧
nginx proxy_set_header Authorization "Bearer ⟦{w40}⟧";
git-cred https://bob:⟦{w40}⟧@github.com
fstab //srv/share /mnt cifs username=bob,password=⟦{w12}⟧ 0 0
mosquitto mosquitto_pub -u dev -P ⟦{w12}⟧ -t x
mongo-cli mongosh -u admin -p ⟦{w14}⟧ --authenticationDatabase admin
psql-conn psql "host=db user=a password=⟦{w14}⟧"
ipmitool ipmitool -H bmc -U admin -P ⟦{w14}⟧ power status
restic RESTIC_PASSWORD=⟦{w20}⟧
borg BORG_PASSPHRASE='⟦{w20}⟧'
ansible-vault vault_password: ⟦{w20}⟧
unattended <AdministratorPassword><Value>⟦{w14}⟧</Value></AdministratorPassword>
chpasswd echo "root:⟦{w12}⟧" | chpasswd
useradd useradd -p ⟦{w12}⟧ bob
rdp cmdkey /add:srv /user:bob /pass:⟦{w12}⟧
winrm Invoke-X -Password '⟦{w14}⟧'
zip zip -P ⟦{w12}⟧ a.zip b
unzip 7z x a.7z -p⟦{w12}⟧
gpg gpg --batch --passphrase ⟦{w16}⟧ -c f
svn svn co --username bob --password ⟦{w12}⟧ url
snowsql SNOWSQL_PWD=⟦{w12}⟧
vnc vncpasswd: ⟦{w8}⟧
basic-code base64("admin:⟦{w14}⟧")
axios auth: { username: 'bob', password: '⟦{w14}⟧' }
requests requests.get(u, auth=('bob', '⟦{w14}⟧'))
httpie http -a bob:⟦{w14}⟧ acme.io
graphql mutation { login(user: "bob", password: "⟦{w14}⟧") { ok } }
`
