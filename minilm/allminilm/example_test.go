package allminilm_test

// How the package is used.

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
)

// A program that may be built without the weights falls back to a file.
func ExampleNew() {
	model, err := allminilm.New(minilm.Config{})
	if errors.Is(err, allminilm.ErrNoWeights) {
		model, err = minilm.Load("all-MiniLM-L6-v2-Q8_0.gguf", minilm.Config{})
	}
	if err != nil {
		log.Fatal(err)
	}
	vector, err := model.EmbedQuery(context.Background(), "The kettle is on.")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model.Name(), len(vector))
	// Output: all-MiniLM-L6-v2 384
}
