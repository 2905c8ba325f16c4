package minilm_test

// How the package is used.

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
)

// The text nearest to a question is the one with the greatest similarity.
func Example() {
	model, err := allminilm.New(minilm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	texts := []string{
		"The ferry to the island leaves at nine.",
		"Sourdough needs a night in the fridge.",
		"My password manager asks for a second factor.",
	}
	ctx := context.Background()
	vectors, err := model.Embed(ctx, texts)
	if err != nil {
		log.Fatal(err)
	}
	question, err := model.EmbedQuery(ctx, "When does the boat go?")
	if err != nil {
		log.Fatal(err)
	}
	best := 0
	for i := range vectors {
		if minilm.Similarity(question, vectors[i]) > minilm.Similarity(question, vectors[best]) {
			best = i
		}
	}
	fmt.Println(len(question), "dimensions")
	fmt.Println(texts[best])
	// Output:
	// 384 dimensions
	// The ferry to the island leaves at nine.
}

// A long text has several vectors.
func ExampleModel_EmbedWindows() {
	model, err := allminilm.New(minilm.Config{MaxTokens: 16})
	if err != nil {
		log.Fatal(err)
	}
	text := "The old harbour was quiet. A small boat came in from the north with salt on its deck, and nobody saw it."
	windows, err := model.EmbedWindows(context.Background(), text)
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range windows {
		fmt.Printf("%d-%d %q\n", w.Start, w.End, text[w.Start:w.End])
	}
	// Output:
	// 0-63 "The old harbour was quiet. A small boat came in from the north "
	// 48-104 "from the north with salt on its deck, and nobody saw it."
}

func ExampleModel_Tokenize() {
	model, err := allminilm.New(minilm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model.Tokenize("hello world"))
	fmt.Println(len(model.Tokenize(strings.Repeat("word ", 1000))))
	// Output:
	// [101 7592 2088 102]
	// 256
}

// Prefixes of known models need no setting; others can have them.
func ExampleConfig() {
	model, err := allminilm.New(minilm.Config{
		Name:        "intfloat/e5-small-v2", // not what these weights are
		MaxTokens:   128,
		Parallelism: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v, %d tokens, %v\n", model.Prefixes(), model.MaxTokens(), model.Pooling())
	_, err = allminilm.New(minilm.Config{MaxTokens: 1000})
	fmt.Println(errors.Is(err, minilm.ErrConfig))
	fmt.Println(err)
	// Output:
	// {Query:query:  Document:passage: }, 128 tokens, mean
	// true
	// minilm: invalid config: MaxTokens is 1000, the model "all-MiniLM-L6-v2" has 512 positions
}

// A file that is no model is an error that says why.
func ExampleLoad() {
	_, err := minilm.Load("testdata/README.md", minilm.Config{})
	fmt.Println(err)
	// Output:
	// minilm: load testdata/README.md: gguf: not a GGUF file: it begins with "# Re"
}

func ExampleSimilarity() {
	fmt.Println(minilm.Similarity([]float32{0.6, 0.8}, []float32{0.6, 0.8}))
	fmt.Println(minilm.Similarity([]float32{1, 0}, []float32{0, 1}))
	// Output:
	// 1
	// 0
}
