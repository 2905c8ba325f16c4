// More places where a secret stands, in the notation of the attack tables.
package scrub

const placedForms = `
username Username: bob Password: ⟦{w10}!7⟧
temp Your temporary password is: ⟦{w12}7a⟧
wp define( 'AUTH_KEY', '⟦{w20}!{w10}@{w20}⟧' );
phpmyadmin $cfg['Servers'][$i]['password'] = '⟦{w14}⟧';
laravel 'password' => env('DB_PASSWORD', '⟦{w14}⟧'),
rails-yml production:\n  password: ⟦{w14}⟧
boto boto3.client('s3', aws_secret_access_key='⟦{b40}⟧')
psycopg psycopg2.connect("dbname=x user=y password=⟦{w14}⟧")
props props.put("password", "⟦{w14}⟧");
netcred new NetworkCredential("bob", "⟦{w12}7a⟧")
gradle buildConfigField "String", "API_KEY", '"⟦{w32}⟧"'
objc #define kApiKey @"⟦{w32}⟧"
bearer-auth .bearer_auth("⟦{w40}⟧")
ruby-key Stripe.api_key = '⟦{w32}⟧'
putenv System.put_env("API_KEY", "⟦{w32}⟧")
clojure {:user "bob" :password "⟦{w14}⟧"}
lisp (setq my-api-key "⟦{w32}⟧")
perl-env $ENV{API_KEY} = '⟦{w32}⟧';
julia ENV["API_KEY"] = "⟦{w32}⟧"
make API_KEY ?= ⟦{w32}⟧
cmake set(API_KEY "⟦{w32}⟧")
vim let g:api_key = '⟦{w32}⟧'
postman {"key":"token","value":"⟦{w40}⟧"}
har {"name":"Authorization","value":"Bearer ⟦{w40}⟧"}
grpc md.Append("authorization", "bearer ⟦{w40}⟧")
apache SetEnv API_KEY ⟦{w32}⟧
systemd Environment=API_KEY=⟦{w32}⟧
systemd-q Environment="DB_PASSWORD=⟦{w16}⟧"
registry "Password"="⟦{w14}⟧"
xml-entry <entry key="password">⟦{w14}⟧</entry>
xml-param <param name="password" value="⟦{w14}⟧"/>
yaml-anchor password: &pw ⟦{w14}⟧
yaml-tag password: !!str ⟦{w14}⟧
yaml-flow db: {user: bob, password: ⟦{w14}⟧}
toml-inline db = { user = "bob", password = "⟦{w14}⟧" }
java-string User(name=bob, password=⟦{w14}⟧)
go-plus {User:bob Password:⟦{w14}⟧}
ruby-inspect {:user=>"bob", :password=>"⟦{w14}⟧"}
rust-debug Config { user: "bob", password: "⟦{w14}⟧" }
log-bracket headers={x-api-key=[⟦{w32}⟧]}
httpie-h http acme.io X-API-Key:⟦{w32}⟧
ngrok ngrok authtoken ⟦2{w26}_{w20}⟧
ngrok2 ngrok config add-authtoken ⟦2{w26}_{w20}⟧
npm-set npm config set //npm.acme.io/:_authToken ⟦{w36}⟧
composer composer config http-basic.repo.acme.io bob ⟦{w20}⟧
netlify netlify deploy --auth ⟦{w40}⟧
cargo cargo login ⟦{w36}⟧
doctl doctl auth init -t ⟦{h64}⟧
sentry sentry-cli --auth-token ⟦{h64}⟧ info
snyk snyk auth ⟦{h40}⟧
vault vault login ⟦{w40}⟧
etcdctl etcdctl --user root:⟦{w14}⟧ get /
kafka sasl.jaas.config=X required username="a" password="⟦{w14}⟧";
rabbit rabbitmqctl add_user bob ⟦{w14}⟧
lftp lftp -u bob,⟦{w14}⟧ ftp.acme.io
wget2 wget --user=bob --password=⟦{w14}⟧ http://x
aria aria2c --http-passwd=⟦{w14}⟧ http://x
nmcli nmcli dev wifi connect Home password ⟦{w14}⟧
wpa-passphrase wpa_passphrase Home ⟦{w14}⟧
keymaterial <keyMaterial>⟦{w14}⟧</keyMaterial>
ssh-keygen ssh-keygen -t ed25519 -N ⟦{w14}⟧ -f k
passout openssl pkcs12 -export -passout pass:⟦{w14}⟧
signtool signtool sign /f a.pfx /p ⟦{w14}⟧ a.exe
keychain security unlock-keychain -p ⟦{w14}⟧ login.keychain
altool xcrun altool -u bob@acme.io -p ⟦abcd-efgh-ijkl-{a4}⟧
notary --apple-id bob --password ⟦{a4}-{a4}-{a4}-{a4}⟧
sudo-S sudo -S <<< ⟦{w14}⟧
jenkins curl -u bob:⟦11{h32}⟧ https://ci.acme.io
rds-token mysql --password=⟦{w14}⟧ -h rds
kubeconf users:\n- name: a\n  user:\n    token: ⟦{w60}⟧
client-key client-key-data: ⟦LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ{b200}⟧
backup-2fa 2fa secret ⟦{232}⟧
licence LICENSE_KEY=⟦{U5}-{U5}-{U5}-{U5}-{U5}⟧
smtp-conf smtp_sasl_password = ⟦{w16}⟧
fetchmail poll imap.acme.io user "bob" password "⟦{w14}⟧"
mutt set imap_pass="⟦{w14}⟧"
irc /msg NickServ identify ⟦{w14}⟧
ldif userPassword: ⟦{w14}⟧
radius client x { secret = ⟦{w14}⟧ }
ipsec %any : PSK "⟦{w24}⟧"
openvpn-cr static-challenge password ⟦{w14}⟧
juniper set system root-authentication plain-text-password-value "⟦{w14}⟧"
tacacs tacacs-server key ⟦{w14}⟧
mikrotik /user add name=bob password=⟦{w14}⟧ group=full
terraform-out db_password = "⟦{w16}⟧" -> (known after apply)
add-mask ::add-mask::⟦{w40}⟧
travis export SONATYPE_PASSWORD=⟦{w20}⟧
email-pw Passwort fürs WLAN: ⟦{w12}7⟧
fr-colon Mot de passe : ⟦{w12}7⟧
es-colon Contraseña: ⟦{w12}7⟧
pt-colon Senha: ⟦{w12}7⟧
it-colon La password è: ⟦{w12}7⟧
pl-colon Hasło: ⟦{w12}7⟧
tr-colon Şifre: ⟦{w12}7⟧
nl-colon Wachtwoord: ⟦{w12}7⟧
ja-colon パスワード： ⟦{w12}7⟧
ko-colon 비밀번호: ⟦{w12}7⟧
zh-colon 密码：⟦{w12}7⟧
hi-colon पासवर्ड: ⟦{w12}7⟧
el-colon Κωδικός: ⟦{w12}7⟧
he-colon סיסמה: ⟦{w12}7⟧
uk-colon Пароль: ⟦{w12}7⟧
sv-colon Lösenord: ⟦{w12}7⟧
qp password=3D⟦{w16}⟧
qp-q password=3D"⟦{w16}⟧"
url-db-utf database_url: "postgresql://app:⟦{w16}⟧@10.0.0.5:5432/app?sslmode=require"
celery broker_url = 'amqp://celery:⟦{w16}⟧@mq//'
sqlalchemy create_engine("mysql+pymysql://root:⟦{w16}⟧@db/app")
git-remote git remote set-url origin https://bob:⟦{w40}⟧@github.com/a/b
svn-url svn+ssh://bob:⟦{w12}⟧@svn.acme.io/x
vnc-url vnc://:⟦{w12}⟧@host:5900
ss-url trojan://⟦{uuid}⟧@host:443
rtsp rtsp://admin:⟦{w12}⟧@10.0.0.9:554/stream
webdav davs://bob:⟦{w12}⟧@cloud.acme.io/dav
neo4j neo4j+s://neo4j:⟦{w43}⟧@x.databases.neo4j.io
es-url http://elastic:⟦{w20}⟧@localhost:9200
couch http://admin:⟦{w14}⟧@127.0.0.1:5984
url-user-special https://bob%40acme.io:⟦{w12}⟧@git.acme.io
oauth-body grant_type=client_credentials&client_id=x&client_secret=⟦{w40}⟧
refresh "refresh_token": "⟦{w60}⟧"
access {"access_token":"⟦{w60}⟧","token_type":"bearer"}
id-token id_token=⟦eyJhbGciOi{w20}.eyJ{w60}.{w43}⟧
sess-json "sessionToken": "⟦{w60}⟧"
aws-sess "SessionToken": "⟦IQoJb3JpZ2lu{b300}⟧"
aws-json "SecretAccessKey": "⟦{b40}⟧",
xsrf X-XSRF-TOKEN: ⟦{w60}⟧
supa apikey: ⟦{w60}⟧
mattermost MM_WEBHOOK=https://mm.acme.io/hooks/⟦{l26}⟧
rocket https://chat.acme.io/hooks/⟦{w17}/{w48}⟧
pushover pushover token=⟦{l30}⟧
`
