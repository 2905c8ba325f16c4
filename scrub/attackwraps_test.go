// The ways in which people paste a token, § standing for it.
package scrub

// A \n, \t and \r are what they look like; \z is nothing: blanks before it count.
const pasteWraps = `
§
§.
§,
(§)
[§]
{§}
<§>
"§"
'§'
` + "`§`" + `
“§”
«§»
„§“
the token is § and it works
token: §
TOKEN=§
TOKEN="§"
TOKEN='§'
export TOKEN=§
export TOKEN="§"; ./run
set TOKEN=§
setx TOKEN "§"
$env:TOKEN = "§"
set -x TOKEN §
TOKEN := "§"
TOKEN ?= §
token = "§"
token = '§'  # mine
token: "§"
token: '§'
token: |\n  §\n
token: >-\n    §\nnext: 1
- §
- "§"
* §
1. §
> §
> > §
| name | value |\n|---|---|\n| tok | § |
| ` + "`§`" + ` |
**§**
__§__
~~§~~
[link](§)
<code>§</code>
<td>§</td>
<token>§</token>
<x t="§"/>
&lt;§&gt;
&quot;§&quot;
&#39;§&#39;
&#34;§&#34;
{"token":"§"}
{"a":["§","x"]}
{\"token\":\"§\"}
{\\\"token\\\":\\\"§\\\"}
"{\\"token\\": \\"§\\"}"
\"§\\n\"
"line1\\n§\\nline3"
\\t§\\t
// §
# §
/* § */
<!-- § -->
-- §
; §
rem §
""" § """
x = f("§")
x = f('§', 1)
x(§)
fmt.Println("§")
console.log('§');
puts "§"
print(f"{a}§")
String t = "§";
let t: &str = "§";
val t = "§"
const t = '§';
$t = '§';
my $t = '§';
t <- "§"
auto t = "§"s;
NSString *t = @"§";
t = @"§"
t = r"§"
t = b'§'
t = u"§"
(def t "§")
t = ~s(§)
var t = ["§"]
echo §
echo "§" | cmd --stdin
cmd §
cmd --flag §
cmd --flag=§
cmd -t §
cmd -t "§" -v
curl -H "X-Thing: §" https://a.b
curl -H 'Authorization: Bearer §' https://a.b
curl https://a.b/?k=§
curl "https://a.b/?k=§&x=1"
curl "https://a.b/?x=1&k=§#f"
https://a.b/§/x
docker run -e T=§ img
docker build --build-arg T=§ .
ENV T=§
ENV T §
      T: "§"
  value: §
  - name: T\n    value: §
    key: §
2024-05-01T10:00:00Z INFO got token § from env
[ERROR] auth failed for § (401)
time="x" level=info token=§ ok=1
##[debug]token=§
+ curl -u §: https://a.b
\x1b[32m§\x1b[0m
\t§
  §  
§\n
\n§
\r\n§\r\n
a\n§\nb
§ §2
§,§2
§\n§2
§;§2
§|§2
"§","§2"
T=§ U=§2 cmd
ключ § вот
密钥§在这里
キーは§です
🔑§🔑
🔑 § 🔑
é § é
clé : §
Schlüssel: „§“
§…
…§
— § —
·§·
§?
§!
§:
key=§\\
§\\
<§|link>
@bob §
hey @bob here: §, pls rotate
it is:§
it's §'s turn
:§:
§\u200b
\u200b§
\ufeff§
\u00a0§\u00a0
a=§&b=c
(§, §2)
diff --git a b\n+T=§
-T=§
+T=§
!§
~§
^§^
%§%
$§
=§=
=3D§
T=3D§
T=§=0A
<§@
x,§,y
x;§;y
x\t§\ty
[§][§2]
`
