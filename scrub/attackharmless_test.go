// What must stay, as templates in the notation of the attack tables.
package scrub

const harmlessForms = `
commit {h40}
{h40} refs/heads/main
Merge: {h7} {h7}
index {h7}..{h7} 100644
git checkout {h40}
sha256:{h64}
sha512:{h128}
sha256={h64}
md5: {h32}
MD5 (a.iso) = {h32}
{h64}  ./dist/app.tar.gz
SHA256 ({h12}.bin) = {h64}
checksum = "{h64}"
hash: {h40}
etag: "{h32}"
ETag: W/"{h32}-{d10}"
image: registry.acme.io/app@sha256:{h64}
FROM golang:1.26@sha256:{h64}
"integrity": "sha512-{b86}=="
integrity sha512-{b86}==
h1:{b43}=
github.com/a/b v1.2.3 h1:{b43}=
golang.org/x/net v0.0.0-20240101000000-{h12} h1:{b43}=
resolved "https://registry.acme.io/x/-/x-1.0.0.tgz#{h40}"
--hash=sha256:{h64}
crc32: {h8}
uuid: {uuid}
id: {uuid}
"id": "{uuid}"
request_id={uuid}
trace_id={h32} span_id={h16}
traceparent: 00-{h32}-{h16}-01
X-Request-Id: {uuid}
x-amzn-trace-id: Root=1-{h8}-{h24}
correlation id {uuid}
session_id: {uuid}
SESSION {uuid} closed
tenant_id = "{uuid}"
subscription: {uuid}
client_id: {uuid}
AZURE_CLIENT_ID={uuid}
AZURE_TENANT_ID={uuid}
client_id={d12}-{l32}.apps.googleusercontent.com
GITHUB_SHA={h40}
CI_COMMIT_SHA={h40}
BUILD_ID=01{U24}
ulid 01{U24}
order_id: ord_{w14}
customer cus_{w14}
"id": "pi_{w24}"
"id": "evt_{w24}"
"id": "call_{w24}"
"id": "chatcmpl-{w29}"
"id": "msg_{w24}"
"id": "asst_{w24}"
file-{w24}
org-{w24}
run_{w24} finished
thread_{w24}
toolu_01{w22}
req_{w16}
ObjectId("{h24}")
_id: {h24}
arn:aws:iam::{d12}:role/deploy
arn:aws:kms:eu-west-1:{d12}:key/{uuid}
arn:aws:secretsmanager:eu-west-1:{d12}:secret:prod/db-{A6}
arn:aws:lambda:us-east-1:{d12}:function:f:{d2}
i-0{h17}
vpc-0{h17} subnet-0{h17} sg-0{h17}
ami-0{h17}
projects/acme/secrets/db-password/versions/3
gs://bucket/2024/{h32}.json
s3://bucket/key/{h32}/part-0000
AIzaX is a prefix
-----BEGIN CERTIFICATE-----\nMIID{b60}\n{b64}\n-----END CERTIFICATE-----
-----BEGIN PUBLIC KEY-----\nMIIBIj{b58}\n{b64}\n-----END PUBLIC KEY-----
-----BEGIN CERTIFICATE REQUEST-----\nMIIC{b60}\n-----END CERTIFICATE REQUEST-----
-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQIN{b60}\n-----END PGP PUBLIC KEY BLOCK-----
-----BEGIN PGP SIGNATURE-----\n\niQIz{b60}\n-----END PGP SIGNATURE-----
-----BEGIN DH PARAMETERS-----\nMIIB{b60}\n-----END DH PARAMETERS-----
ssh-rsa AAAAB3NzaC1yc2E{b300} bob@host
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} bob@host
ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAA{b80}= bob
SHA256:{b43} bob@host (ED25519)
fingerprint: {h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}
PublicKey = {b43}=
public_key: "{b43}="
age1{l58}
npub1{l58}
0x{h40}
tx 0x{h64}
block hash {h64}
bc1q{l38}
1{533}
data:image/png;base64,iVBORw0KGgo{b200}=
data:font/woff2;base64,d09GMgABAAAA{b200}
url(data:image/svg+xml;base64,PHN2Zy{b100}==)
<img src="data:image/gif;base64,R0lGODlh{b80}">
ISBN 978-3-16-148410-{d1}
DE{d20}
GB82 WEST {d4} {d4} {d4} {d2}
FR14 2004 1010 0505 0001 3M02 606
+49 30 {d8}
+1 (555) {d3}-{d4}
tel: +44 20 7946 {d4}
2024-05-02T10:11:12.{d6}Z
1{d9}
order #{d8}
invoice {d4}-{d6}
v1.24.3-rc.{d2}+build.{d5}
1.0.0-alpha.{d3}
lodash@4.17.21
node-v20.11.1-linux-x64.tar.gz
app-{h8}-{l5}
pod/web-{h10}-{l5} Running
deployment-{h9}
{h12}: Pull complete
/var/lib/docker/overlay2/{h64}/diff
/nix/store/{l32}-openssl-3.0.13
/tmp/go-build{d10}/b001/exe/main
main.{h8}.js
chunk-{U8}.js
https://youtu.be/{s11}
https://www.youtube.com/watch?v={s11}&t=42
https://docs.google.com/document/d/{s44}/edit
https://drive.google.com/file/d/{s33}/view
https://open.spotify.com/track/{w22}
https://maps.app.goo.gl/{w17}
https://discord.gg/{w10}
https://t.me/joinchat/{w16}
https://figma.com/file/{w22}/Design
https://www.notion.so/acme/Page-{h32}
https://acme.slack.com/archives/C{U10}/p{d16}
https://github.com/a/b/commit/{h40}
https://github.com/a/b/blob/{h40}/main.go#L10
https://cdn.acme.io/a.js?v={h20}
https://acme.io/?utm_source=x&gclid={s60}
https://acme.io/?fbclid={s60}
https://acme.io/cb?state={l12}&page=2
https://user@acme.io:8443/x
http://localhost:3000/a:b@c
https://[2001:db8::1]:443/x@y
git@github.com:acme/repo.git
ssh://git@github.com/acme/repo.git
mongodb://localhost:27017/app
postgres://postgres:postgres@localhost:5432/app
postgres://user:password@host/db
mysql://root:root@127.0.0.1/app
amqp://guest:guest@mq:5672
redis://:@cache:6379
https://user:pass@example.com
https://<user>:<password>@host
https://$USER:$PASSWORD@host
https://{user}:{password}@host
https://%s:%s@%s/
postgres://${DB_USER}:${DB_PASS}@${DB_HOST}/app
password: ${DB_PASSWORD}
password: $DB_PASSWORD
password: {{ .Values.db.password }}
password: "{{ vault_password }}"
password: <password>
password: "your-password-here"
password: YOUR_PASSWORD
password: changeme
password: ********
password: xxxxxxxx
password: null
password: None
password: ""
password: !vault |
password = os.environ["DB_PASSWORD"]
password = os.getenv("DB_PASSWORD")
password := os.Getenv("DB_PASSWORD")
const password = process.env.DB_PASSWORD;
password: process.env.DB_PASSWORD,
password = ENV["DB_PASSWORD"]
password = ENV.fetch("DB_PASSWORD")
password = System.getenv("DB_PASSWORD")
password = Environment.GetEnvironmentVariable("DB_PASSWORD")
let password = std::env::var("DB_PASSWORD")?;
$password = getenv('DB_PASSWORD');
$password = $_POST['password'];
password = request.form["password"]
password = input("Password: ")
password = getpass.getpass()
password = config["db"]["password"]
password = self.password
password: this.form.password.value
password = generate_password(32)
password = secrets.token_urlsafe(32)
password_hash = hashlib.sha256(password.encode()).hexdigest()
passwordEncoder.encode(user.getPassword())
if len(password) < 12:
if (!password.match(/[A-Z]{2}/)) return
def check_password(password, hashed):
func Login(user, password string) error {
fn login(user: &str, password: &str) -> Result<()>
public void setPassword(String password) { this.password = password; }
SELECT password_hash FROM users WHERE id = ?
CREATE TABLE users (id INT, password VARCHAR(255) NOT NULL);
ALTER TABLE users ADD COLUMN api_key_id BIGINT;
password VARCHAR(255) DEFAULT NULL
INSERT INTO users (name, password) VALUES (?, ?)
"password": {"type": "string", "minLength": 12}
password: type: string, format: password
"scripts": {"secret:rotate": "node rotate.js"}
secretKeyRef: {name: db, key: password}
valueFrom: {secretKeyRef: {name: db-credentials, key: url}}
secretName: tls-acme-io
imagePullSecrets: [{name: regcred}]
token: ${{ secrets.GITHUB_TOKEN }}
TOKEN=$(vault kv get -field=token secret/x)
export TOKEN=$(cat /run/secrets/token)
API_KEY=<your api key>
API_KEY=your_api_key_here
API_KEY=sk-...
API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxx
OPENAI_API_KEY=sk-your-key-here
api_key = "INSERT_KEY_HERE"
apiKey: "REPLACE_ME"
token = "FILL_ME_IN"
Authorization: Bearer <token>
Authorization: Bearer {token}
Authorization: Bearer $TOKEN
Authorization: Bearer ${TOKEN}
Authorization: Bearer YOUR_ACCESS_TOKEN
headers["Authorization"] = f"Bearer {token}"
headers: { Authorization: 'Bearer ' + token }
Authorization: Basic base64(user:password)
curl -u user:password https://example.com
curl -u "$USER:$PASS" https://example.com
curl -H "X-Api-Key: $API_KEY" https://example.com
mysql -u root -p
mysql -uroot -p app
psql -U postgres -W
docker login -u bob --password-stdin
sshpass -e ssh host
redis-cli -a "$REDIS_PASSWORD"
ssh -i ~/.ssh/id_ed25519 bob@host
openssl req -new -key server.key -out server.csr
openssl rand -base64 32
openssl enc -aes-256-cbc -pass file:key.txt
gpg --import pub.asc
htpasswd -c .htpasswd bob
net use Z: \\srv\share
net use
wandb login
npm login --registry https://npm.acme.io
aws configure set region eu-west-1
snmpwalk -v2c -c public host
zip -r site.zip public/
7z x archive.7z -oout
useradd -m -s /bin/bash bob
http -a user:password example.com
IDENTIFIED BY password
CREATE USER app IDENTIFIED BY :password
CREATE USER app IDENTIFIED BY ?;
Users are identified by their email address.
WIFI:T:nopass;S:Guest;;
wifi: the network is slow today
The seed phrase must be kept offline, never in a photo or a chat with anybody at all.
A mnemonic is a pattern of letters that helps people remember long lists of things well.
Write your recovery phrase on paper: twelve words, in order, and put it somewhere safe at home.
seed phrase: 12 words
otpauth://totp/Acme:bob?issuer=Acme
the certificate is valid until 2027
certificate: MIIDdzCCAl+gAwIBAgIE{b220}
client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t{b100}
keystore: /etc/ssl/keystore.jks
keystore.path=/opt/app/keystore.p12
export P12=cert.p12
jdbc:oracle:thin:@db:1521:XE
jdbc:postgresql://db:5432/app
type="password" name="pw" value=""
<input type="password" placeholder="Password" required>
<input type="password" value="{{ password }}">
ApiKey { get; set; }
public string Password { get; set; } = string.Empty;
public string Password { get; set; } = "";
Dim password As String = ""
Dim password As String = txtPassword.Text
Cookie: theme=dark; lang=en; consent=yes
Set-Cookie: sessionid=; Max-Age=0
session=active
?session=spring-2024&lang=de
_ga=GA1.2.{d9}.{d10}
csrf_token = get_token(request)
pk_live_{w24}
pk_test_{w24}
pk.eyJ1Ijoi{w40}.{s22}
GTM-{U7} UA-{d8}-1 G-{U10}
ca-pub-{d16}
6Le{s37} is the site key
phc_{w43}
tr:nth-child(2n+1)
.btn-primary:hover{color:#{h6};background:#{h3}}
#{h6} #{h8}
@media(max-width:768px){.c{display:none}}
!function(e,t){"object"==typeof exports?module.exports=t():e.x=t()}(this,function(){return 1});
var a=function(b){return b.c+(d?e:f)};a(g)(h)&&i.j(k,l);
function tokenize(s){return s.split(/\s+/).map(function(t){return t.key})}
const key = event.key; if (key === 'Enter') submit();
for key, value in sorted(d.items()):
key: value
primary_key: id
foreign_key: user_id
sort_key = lambda x: x[1]
cache_key = f"user:{user_id}:{h1}"
cacheKey=v1-deps-{h64}
key: ${{ runner.os }}-go-${{ hashFiles('**/go.sum') }}
hot_key: ctrl+shift+p
keyboard: us-intl
monkey: capuchin
tokenizer: cl100k_base
max_tokens: 128000
token_count: {d6}
tokens: {d5} in, {d4} out
next_page_token: {b60}
nextToken: {b80}==
pageToken={s60}
continuation_token={b40}
sync_token: s{d4}_{d6}_{d2}
cursor={b40}
public_token: {w20}
publishable_key: pk_x
access_key_id: see the wiki
The password must be at least 12 characters long.
Your password expires in 14 days.
Reset your password at https://acme.io/reset.
I forgot my password again.
The password is wrong.
Use a password manager such as 1Password or KeePass2.
The secret of good bread is time.
Passwords are hashed with Argon2id, 64 MiB, t=3.
The API key is stored in Vault under secret/prod/api.
Set API_KEY in your environment before you run it.
Token refresh happens every 3600 seconds.
The token was revoked on 2024-03-01.
Das Passwort muss mindestens 12 Zeichen lang sein.
Das Passwort ist abgelaufen.
Bitte ändern Sie Ihr Kennwort bis 31.12.2024.
Le mot de passe doit contenir 12 caractères.
Le mot de passe est incorrect.
La contraseña debe tener al menos 12 caracteres.
La contraseña es demasiado corta.
A senha deve ter 12 caracteres.
La password deve avere almeno 12 caratteri.
Hasło musi mieć co najmniej 12 znaków.
Пароль должен содержать не менее 12 символов.
Пароль: минимум 12 символов
密码必须至少包含12个字符。
密码: 至少12位
パスワードは12文字以上必要です。
비밀번호는 12자 이상이어야 합니다.
كلمة المرور يجب أن تكون 12 حرفا
Şifre en az 12 karakter olmalıdır.
Heslo musí mít alespoň 12 znaků.
Lösenordet måste ha minst 12 tecken.
Wachtwoord moet minstens 12 tekens hebben.
Mật khẩu phải có ít nhất 12 ký tự
login as bob and run make
login: bob
login attempts: 3 of 5
Login failed for user 'sa'. (Error 18456)
creds are in 1Password, vault Engineering
credentials: include
credentials provider chain: env, file, IMDSv2
PASS tests/login_test.go 0.31s
--- PASS: TestToken (0.00s)
PASS: TestUserPassword/empty42
pass rate: 98.7%
passed: 312, failed: 4
pin: 3.3V
The pin is GPIO17.
passport: X1234567
bypass=true
compass: NNW 337
Passau, 2024
author: bob@acme.io
authority: https://login.acme.io/{uuid}/v2.0
auth: oauth2
auth_type: bearer
authentication: Kerberos5
sessions: 42
session: morning, room 4B
salt rounds: 12
"private": true
private_key_path: ~/.ssh/id_rsa
ssl_certificate_key /etc/nginx/tls/server.key;
signing_key_file=/etc/keys/signing.pem
SECRET_KEY_FILE=/run/secrets/django
key_id: {h16}
kid: {s27}
"kid": "{h40}"
"alg": "RS256", "typ": "JWT"
"n": "{s342}", "e": "AQAB"
thumbprint: {H40}
serial number: {h2}:{h2}:{h2}:{h2}:{h2}:{h2}
MAC {h2}:{h2}:{h2}:{h2}:{h2}:{h2}
2001:db8:{h4}:{h4}:{h4}:{h4}:{h4}:{h4}
10.0.0.1:5432:app
host:5432:db:user:
db:5432:app:user:*
00000000  {h8} {h8} {h8} {h8}  |....|
{h2} {h2} {h2} {h2} {h2} {h2} {h2} {h2}
ACGTACGTTAGCCGATCGATCGGCTAAGCTAGCTTACG
MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVVHSLAKWKRQTLGQHDFSAGEGLYTHMKALRPDEDRLSPLHSVYVDQWDWE
com.acme.internal.security.token.TokenAuthenticationProviderFactoryBean
AbstractSingletonProxyFactoryBeanConfigurationPropertiesBinding
TOKEN_EXPIRED_OR_INVALID_PLEASE_LOG_IN_AGAIN
password_reset_email_subject_line
user-password-reset-confirmation-page-v2
the-secret-life-of-walter-mitty-2013
how-to-rotate-api-keys-without-downtime-in-2024
sk-estimator-html-doc-link-color-unfitted
risk-based-authentication-for-everyone
ak_default_long_configuration_name_here
at_least_once_delivery_semantics_required
live_streaming_configuration_settings_page
db-migration-for-the-customer-table
re_export_everything_from_the_module
key_features_of_the_new_release_notes
web_application_firewall_configuration
mfa.enabled=true
ser.number=12
oauth: see RFC 6749
TEST-1234 fixes the login
APP_USR is the prefix of Mercado Pago
|{d6}|{l8}|
a|b|c
AC power, SK hynix, AC1750
?code=404&reason=notfound
&code=de-DE
?code=ABC123
{ "code": "E{d5}" }
"publicKey": "{h64}"
nonce="{b22}=="
script-src 'sha256-{b43}=' 'nonce-{b22}=='
boundary=----WebKitFormBoundary{w16}
Message-ID: <{w30}@mail.gmail.com>
DKIM-Signature: v=1; bh={b43}=; b={b86}
v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A{b200}
google-site-verification={s43}
Sec-WebSocket-Key: {b22}==
Sec-WebSocket-Accept: {b27}=
Digest: SHA-256={b43}=
Content-MD5: {b22}==
If-None-Match: "{h40}"
licence: Apache-2.0
license key: see LICENSE.md
product: 4K-UHD-HDR10-120Hz
VIN 1HGCM82633A{d6}
tracking 1Z{U16}
SKU {U4}-{U6}-{d3}
DOI 10.1000/{l8}
arXiv:2401.{d5}
CVE-2024-{d5}
RFC 7519, section 4.1
JIRA-{d4}: rotate the token
Bearer of the ring, keeper of the flame
basic income, basic needs
the cookie jar
echo "password changed"
echo $PASSWORD | sudo -S ls
echo "$TOKEN" | docker login --username bob --password-stdin
kubectl get secret db -o yaml
kubectl create secret generic db --from-file=./password.txt
vault kv put secret/db password=@pw.txt
gh secret set API_KEY < key.txt
gh auth login --with-token < token.txt
--password-file /run/secrets/pw
--token-file=./token
--api-key-env OPENAI_API_KEY
__init__ __main__ __version__
__all__ = ["Token", "Secret"]
__ASM_PREFIX_FOR_THE_KERNEL_HEADERS__
=3D=3D=3D=3D=3D
a=3Db
| password | string | required |
| token | The token of the user | yes |
password | varchar(255) | not null
**Password:** at least 12 characters
user,password\nname,string
<password>${db.password}</password>
<password>***</password>
&lt;password&gt;string&lt;/password&gt;
&quot;password&quot;:&quot;string&quot;
password%3D%24PASSWORD
{"password":"string","token":"string"}
{"token_type":"bearer","expires_in":3600}
{\"password\":\"<password>\"}
$ANSIBLE_VAULT;1.1;AES256\n{h80}\n{h80}
"pbkdf2 iterations": 600000
<Password>string</Password>
the hooks live in /hooks/useauthenticationprovider
import x from "/hooks/useLocalStorageStateWithDefault"
github.com/acme/webhooks/handlers/internal/stripe
curl -X POST https://acme.io/hooks/deploy-production-cluster
nickserv identify
ssh-keygen -t ed25519 -N "" -f key
rabbitmqctl add_user bob "$PASSWORD"
signtool sign /f cert.pfx /p %PASSWORD% app.exe
API_KEY ?= $(shell cat key.txt)
API_KEY ?= changeme
API_KEY ?=
PASSWORD ??= getDefault()
$ENV{HOME} = '/root';
$ENV{API_KEY} = $config->{api_key};
{"key":"token","value":"{{token}}"}
{"key":"theme","value":"dark"}
{"name":"PASSWORD_POLICY","value":"strong12"}
{"key":"password","value":""}
{"name":"token","value":"string"}
tokens = [alpha, beta, gamma]
keys=[a1,b2,c3]
password=[hidden]
password: [your password]
password: this-that-from-with
username-with-some-more
a=3D"x" href=3D"https://acme.io/x"
token=3D=
password=3D
<td style=3D"width:100%">
snippet: key=3Dvalue
http-basic authentication is on
lftp -u bob ftp.acme.io
{"password":{"min":12,"max":64}}
altool --validate-app -f app.ipa
docker run -t -i ubuntu bash
doctl auth init --context prod
buildah login registry.acme.io
Recovery phrase backup is stored in the bank vault of the company in Zurich
mnemonic: ROYGBIV
mnemonic = "Every good boy deserves fudge"
the words of the seed phrase are never shown again after this step, so write them down
session=abc
session_id=42&user=7
sessionId=undefined
JSESSIONID=${cookie}
?session=hr-onboarding-march-2024-berlin
certificate_base64: ""
p12: path/to/cert.p12
pfx=certs/prod.pfx
otpauth://totp/Acme:bob@acme.io?secret=YOUR_SECRET&issuer=Acme
community: open source
snmp-server community public RO
login token was refreshed
npm login failed
cloud login succeeded for {uuid}
gcloud auth login bob@acme.io
sk-learn-model-evaluation-pipeline-v2
ak_test_fixture_for_users
`
