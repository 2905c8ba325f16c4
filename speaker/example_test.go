// How a turn is parted from its speaker.

package speaker_test

import (
	"fmt"

	"github.com/contextforge-go/contextforge/speaker"
)

func ExampleOf() {
	for _, text := range []string{"Melanie: Hey! Good to see you.", "Note: buy milk"} {
		name, rest, ok := speaker.Of(text)
		fmt.Printf("%q %q %v\n", name, rest, ok)
	}
	// Output:
	// "Melanie" "Hey! Good to see you." true
	// "" "Note: buy milk" false
}
