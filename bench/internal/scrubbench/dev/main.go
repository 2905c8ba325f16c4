package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/contextforge-go/contextforge/scrub"
)

type rec struct{ ID, Label, Group, Context, Category, Text, Secret string; Start, End int }

func load(f string) (out []rec) {
	r, err := os.Open(f)
	if err != nil { panic(err) }
	z, err := gzip.NewReader(r)
	if err != nil { panic(err) }
	sc := bufio.NewScanner(z)
	sc.Buffer(nil, 1<<22)
	for sc.Scan() { var x rec; if err := json.Unmarshal(sc.Bytes(), &x); err != nil { panic(err) }; out = append(out, x) }
	return
}

func main() {
	if os.Args[1] == "files" { files(os.Args[2:]); return }
	dir := os.Args[1]
	pos, neg := load(dir+"/positives.jsonl.gz"), load(dir+"/negatives.jsonl.gz")
	caught, exact, idem := 0, 0, 0
	for _, p := range pos {
		got, f := scrub.Scrub(p.Text)
		c := true
		if len(p.Secret) <= 12 { c = !strings.Contains(got, p.Secret) } else {
			for i := 0; i+12 <= len(p.Secret); i++ { if strings.Contains(got, p.Secret[i:i+12]) { c = false; break } }
		}
		e := c && strings.HasPrefix(got, p.Text[:p.Start]) && strings.HasSuffix(got, p.Text[p.End:])
		if c { caught++ }
		if e { exact++ }
		if again, _ := scrub.Scrub(got); again != got { idem++; fmt.Println("IDEM", got, again) }
		if !e { t := got; if len(t) > 300 { t = t[:300] }; fmt.Printf("%v %s %s: %q\n   -> %q %v\n", c, p.ID, p.Label, p.Text[:min(300, len(p.Text))], t, f) }
	}
	fp := 0
	for _, n := range neg {
		got, f := scrub.Scrub(n.Text)
		if got != n.Text { fp++; fmt.Printf("FP %s %s %q %v\n", n.ID, n.Category, got, f) }
	}
	fmt.Println("caught", caught, "exact", exact, "of", len(pos), "fp", fp, "of", len(neg), "idem", idem)
}

func files(roots []string) {
	counts := map[string]int{}
	n := 0
	for _, root := range roots {
		filepath.Walk(root, func(p string, i os.FileInfo, err error) error {
			if err != nil || i.IsDir() || i.Size() > 8<<20 { return nil }
			b, _ := os.ReadFile(p)
			if strings.IndexByte(string(b[:min(len(b), 2000)]), 0) >= 0 { return nil }
			n += len(b)
			t := string(b)
			_, f := scrub.Scrub(t)
			for _, x := range f {
				counts[x.Rule]++
				if counts[x.Rule] <= 40 {
					a, e := max(0, x.Start-60), min(len(t), x.End+20)
					m := t[x.Start:min(x.End, x.Start+80)]
					fmt.Printf("%s\t%q  <<<%q>>> %q\t%s\n", x.Rule, t[a:x.Start], m, t[min(x.End, e):e], p[max(0, len(p)-50):])
				}
			}
			return nil
		})
	}
	fmt.Println(n, counts)
}
