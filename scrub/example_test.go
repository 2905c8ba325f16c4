// How each of the exported verbs is used.

package scrub_test

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/contextforge-go/contextforge/scrub"
)

// secret is put together at run time, so that no scanner takes it for one.
var secret = "gh" + "p_" + strings.Repeat("x9Kq", 9)

func ExampleScrub() {
	text, findings := scrub.Scrub("git clone https://bob:" + secret + "@git.example.org/x.git")
	fmt.Println(text)
	fmt.Println(findings[0].Label, findings[0].Start, findings[0].End)
	// Output:
	// git clone https://bob:[REDACTED:github-token]@git.example.org/x.git
	// github-token 22 62
}

func ExampleNew() {
	s, err := scrub.New(scrub.Options{
		Off:    []string{"cookie"},
		Allow:  []string{secret},
		Custom: []scrub.Rule{{Name: "acme-token", Pattern: `acme_[0-9a-f]{8}`, Literals: []string{"acme_"}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := s.Scrub("build with acme_0123abcd, clone with " + secret[:3] + "...")
	fmt.Println(text)
	// Output: build with [REDACTED:acme-token], clone with ghp...
}

func ExampleLoadRules() {
	rules, err := scrub.LoadRules("rules.toml", `
[[rule]]
name = "acme-token"
pattern = 'acme_[0-9a-f]{8}'
literals = ["acme_"]
`)
	fmt.Println(len(rules), rules[0].Name, err)
	_, err = scrub.LoadRules("rules.toml", "[[rule]]\nname = 'Acme'\npattern = 'x'")
	fmt.Println(err)
	// Output:
	// 1 acme-token <nil>
	// rules.toml: rule 1: scrub: unusable rule: name "Acme", label "": want small letters, digits and hyphens, at most 64
}

func ExampleScrubber_Scrub() {
	var s scrub.Scrubber
	text, findings := s.Scrub("my password is hunter2Xy! and the host is db1")
	fmt.Println(text)
	fmt.Println(findings[0].Rule)
	// Output:
	// my password is [REDACTED:password] and the host is db1
	// named-password
}

func ExampleScrubber_Has() {
	var s scrub.Scrubber
	fmt.Println(s.Has("password: hunter2Xy!"), s.Has("Please reset your password."))
	// Output: true false
}

func ExampleScrubber_JSON() {
	var s scrub.Scrubber
	raw, findings, err := s.JSON([]byte(`{"user": "bob", "password": "hunter2Xy!", "limit": 1.50}`))
	fmt.Println(string(raw), len(findings), err)
	// Output: {"user": "bob", "password": "[REDACTED:password]", "limit": 1.50} 1 <nil>
}

func ExampleScrubber_NewReader() {
	var s scrub.Scrubber
	r := s.NewReader(strings.NewReader("token " + secret + "\n"))
	if _, err := io.Copy(os.Stdout, r); err != nil {
		fmt.Println(err)
	}
	// Output: token [REDACTED:github-token]
}

func ExampleScrubber_NewWriter() {
	var s scrub.Scrubber
	w := s.NewWriter(os.Stdout)
	w.Report = func(f scrub.Finding) { fmt.Println(f.Rule, "at", f.Start) }
	_, err := io.WriteString(w, "token "+secret[:10])
	if err == nil {
		_, err = io.WriteString(w, secret[10:]+"\n")
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// github-token at 6
	// token [REDACTED:github-token]
}

func ExampleScrubber_Rules() {
	var s scrub.Scrubber
	r := s.Rules()[0]
	fmt.Printf("%s writes [REDACTED:%s]: %s\n", r.Name, r.Label, r.Description)
	// Output: private-key writes [REDACTED:private-key]: private key in armour: PEM, OpenSSH, OpenPGP, OpenVPN
}
