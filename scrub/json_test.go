// Documents: strings change, all else stays.

package scrub

import (
	"errors"
	"testing"
)

func TestJSON(t *testing.T) {
	hidden := redacted("password")
	tests := []struct{ name, raw, want string }{
		{"nothing", `{"a": 1.50, "b" : [ "x", null ]}`, ""},
		{"token in a string", `{"a":"use ` + githubToken(36) + ` now"}`, `{"a":"use ` + redacted("github-token") + ` now"}`},
		{"token as a key", `{"` + githubToken(36) + `":1}`, `{"` + redacted("github-token") + `":1}`},
		{"member password", `{"password": "hunter2Xy!", "n": 1e3}`, `{"password": "` + hidden + `", "n": 1e3}`},
		{"member in capitals", `{"DB_PASSWORD":"hunter2Xy!"}`, `{"DB_PASSWORD":"` + hidden + `"}`},
		{"array of passwords", `{"passwords_old":1,"password":["hunter2Xy!","Winter2019!"]}`, `{"passwords_old":1,"password":["` + hidden + `","` + hidden + `"]}`},
		{"name and value", `{"name":"DB_PASSWORD","value":"hunter2Xy!"}`, `{"name":"DB_PASSWORD","value":"` + hidden + `"}`},
		{"nested value", `{"password":{"value":"hunter2Xy!"}}`, `{"password":{"value":"` + hidden + `"}}`},
		{"named token", `{"api_key":"` + filler(32) + `"}`, `{"api_key":"` + redacted("secret") + `"}`},
		{"other name", `{"id":"` + filler(32) + `"}`, ""},
		{"number as password", `{"password":12345678}`, ""},
		{"placeholder", `{"password":"${DB_PASSWORD}"}`, ""},
		{"escaped key", `{"k":"` + pem("RSA ", `\n`) + `\n"}`, `{"k":"` + redacted("private-key") + `\n"}`},
		{"unicode escapes", `{"k":"\u00e9 \ud83d\ude00 ` + awsKey(16) + ` \u00e9"}`, `{"k":"\u00e9 \ud83d\ude00 ` + redacted("aws-key") + ` \u00e9"}`},
		{"escaped letters of a token", `"\u0067hp_` + filler(36) + `"`, `"` + redacted("github-token") + `"`},
		{"lone surrogate", `"\ud83d ` + awsKey(16) + `"`, `"\ud83d ` + redacted("aws-key") + `"`},
		{"bearer", `{"Authorization":"Bearer ` + filler(30) + `"}`, `{"Authorization":"` + redacted("generic-bearer") + `"}`},
		{"document in a string", `{"body":"{\"password\":\"hunter2Xy!\"}"}`, `{"body":"{\"password\":\"` + hidden + `\"}"}`},
		{"plain string", `"` + awsKey(16) + `"`, `"` + redacted("aws-key") + `"`},
		{"blanks around", " \n[\"" + awsKey(16) + "\"]\n ", " \n[\"" + redacted("aws-key") + "\"]\n "},
	}
	s := mustNew(t, Options{})
	for _, tt := range tests {
		want := tt.want
		if want == "" {
			want = tt.raw
		}
		got, found, err := s.JSON([]byte(tt.raw))
		if err != nil || string(got) != want || (len(found) == 0) != (tt.want == "") {
			t.Errorf("%s: %s (%v, %v), want %s", tt.name, got, found, err, want)
		}
		checkJSON(t, tt.name, s, []byte(tt.raw))
	}
	for _, raw := range []string{"", "{", `{"a":1} x`, "password", `{"a":"` + "\n" + `"}`} {
		if _, _, err := s.JSON([]byte(raw)); !errors.Is(err, ErrJSON) {
			t.Errorf("%q: %v", raw, err)
		}
	}
	raw := []byte(`{"a":1}`)
	if got, _, _ := s.JSON(raw); &got[0] != &raw[0] {
		t.Error("a clean document was copied")
	}
}
