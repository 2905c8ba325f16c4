// How lexicons are loaded, put together and asked.

package lexicon_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/contextforge-go/contextforge/lexicon"
)

func ExampleParse() {
	s, err := lexicon.Parse("persona", `
[terms]
"blue-green deploy" = 0.9

[affirmations]
patterns = ["ship it"]

[negations]
patterns = ["roll it back"]
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, content := range []string{
		"Blue-green deploy on Friday. Ship it!",
		"Don't ship it yet.",
		"We have to roll it back.",
	} {
		fmt.Println(s.Score(lexicon.Item{Content: content}, ""), content)
	}
	// Output:
	// 1.4 Blue-green deploy on Friday. Ship it!
	// 0 Don't ship it yet.
	// -0.3 We have to roll it back.
}

func ExampleParse_refused() {
	_, err := lexicon.Parse("persona.toml", "[terms]\ndeploy = 2\n")
	fmt.Println(errors.Is(err, lexicon.ErrLexicon))
	var weight *lexicon.WeightError
	if errors.As(err, &weight) {
		fmt.Println(weight)
	}
	// Output:
	// true
	// persona.toml:2: the weight of term "deploy" is 2; it must lie in (0, 1.5]
}

func ExampleLoad() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	persona, short := filepath.Join(dir, "persona.toml"), filepath.Join(dir, "short.toml")
	os.WriteFile(persona, []byte("terms.deploy = 0.8\n"), 0o644)
	os.WriteFile(short, []byte("negations.patterns = ['nvm']\n"), 0o644)

	s, err := lexicon.Load(persona, short)
	fmt.Println(s.Name(), s.Len(), err)
	_, err = lexicon.Load(filepath.Join(dir, "none.toml"))
	fmt.Println(errors.Is(err, lexicon.ErrLexicon), errors.Is(err, os.ErrNotExist))
	// Output:
	// persona+short 2 <nil>
	// true true
}

func ExampleLoadFS() {
	files := fstest.MapFS{"persona.toml": {Data: []byte("[terms]\nrollback = 1\ndeploy = 0.8\n")}}
	s, err := lexicon.LoadFS(files, "persona.toml")
	if err != nil {
		fmt.Println(err)
		return
	}
	for term, weight := range s.Terms() {
		fmt.Println(term, weight)
	}
	// Output:
	// deploy 0.8
	// rollback 1
}

func ExampleEnglish() {
	s := lexicon.English()
	fmt.Println(s.Name(), len(s.Affirmations()) >= 88, len(s.Negations()) >= 45)
	for _, content := range []string{"That’s right, it was the cache.", "Not confirmed yet.", "Never mind."} {
		fmt.Println(s.Score(lexicon.Item{Content: content}, ""), content)
	}
	// Output:
	// english true true
	// 0.5 That’s right, it was the cache.
	// 0 Not confirmed yet.
	// -0.3 Never mind.
}

func ExampleConfigScorer_Explain() {
	matches := lexicon.English().Explain(lexicon.Item{Content: "Confirmed — never mind the old plan."}, "")
	out, err := json.MarshalIndent(matches, "", " ")
	fmt.Println(string(out), err)
	// Output:
	// [
	//  {
	//   "lexicon": "english",
	//   "sort": "affirmation",
	//   "pattern": "confirmed",
	//   "amount": 0.5,
	//   "start": 0,
	//   "end": 9
	//  },
	//  {
	//   "lexicon": "english",
	//   "sort": "negation",
	//   "pattern": "never mind",
	//   "amount": -0.3,
	//   "start": 14,
	//   "end": 24
	//  }
	// ] <nil>
}

func ExampleConfigScorer_Score() {
	for _, content := range []string{"We decided on heron.", "We never decided on heron.", "On heron, scratch that."} {
		fmt.Println(lexicon.English().Score(lexicon.Item{Content: content}, ""))
	}
	// Output:
	// 0.5
	// 0
	// -0.3
}

func ExampleConfigScorer_Terms() {
	s, err := lexicon.Parse("persona", "terms = {rota = 0.5, Pager = 0.9}\naffirmations.patterns = ['ship it']\nnegations.patterns = ['no dice']")
	if err != nil {
		fmt.Println(err)
		return
	}
	for term, weight := range s.Terms() {
		fmt.Println(term, weight)
	}
	fmt.Println(s.Name(), s.Len(), s.Affirmations(), s.Negations())
	// Output:
	// Pager 0.9
	// rota 0.5
	// persona 4 [ship it] [no dice]
}

func ExampleComposite() {
	s := lexicon.Composite(lexicon.English(), lexicon.Kinds(map[string]float64{"lesson": 0.25}))
	item := lexicon.Item{Content: "Noted.", Kind: "lesson"}
	fmt.Println(s.Score(item, ""), lexicon.Static(s), lexicon.UsesDefaults(s))
	// Output: 0.75 false true
}

func ExampleOnly() {
	persona, err := lexicon.Parse("persona", "terms.deploy = 0.8")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(lexicon.UsesDefaults(persona), lexicon.UsesDefaults(lexicon.Only(persona)), lexicon.UsesDefaults(lexicon.None))
	// Output: true false false
}

func ExampleUsesDefaults() {
	fmt.Println(lexicon.UsesDefaults(nil), lexicon.UsesDefaults(lexicon.Composite()), lexicon.UsesDefaults(lexicon.Composite(lexicon.None)))
	// Output: true true false
}

func ExampleStatic() {
	fmt.Println(lexicon.Static(lexicon.English()), lexicon.Static(lexicon.Prior(nil)))
	// Output: true false
}

func ExampleMetadata() {
	s := lexicon.Metadata("importance", 0.5)
	fmt.Println(s.Score(lexicon.Item{Metadata: json.RawMessage(`{"importance": 0.5}`)}, ""))
	// Output: 0.25
}

func ExampleKinds() {
	s := lexicon.Kinds(map[string]float64{"lesson": 0.3})
	fmt.Println(s.Score(lexicon.Item{Kind: "lesson"}, ""), s.Score(lexicon.Item{Kind: "chat"}, ""))
	// Output: 0.3 0
}

func ExamplePrior() {
	s := lexicon.Prior(map[string]float64{"id-1": 0.2})
	fmt.Println(s.Score(lexicon.Item{ID: "id-1"}, ""), s.Score(lexicon.Item{ID: "id-2"}, ""))
	// Output: 0.2 0
}
