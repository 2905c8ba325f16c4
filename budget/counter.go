// The counter contract and the reference's rule.

package budget

// Counter counts, or estimates, the tokens of a text. Count must be a pure
// function, safe for concurrent use, and must not return a negative number.
type Counter interface {
	Count(text string) int
}

// CounterFunc makes a function, such as that of a real tokenizer, a Counter.
type CounterFunc func(text string) int

// Count calls the function.
func (f CounterFunc) Count(text string) int { return f(text) }

// BytesOver4 is the reference implementation's estimate: a quarter of the UTF-8
// bytes, rounded up. It undercounts most scripts but Latin by half.
type BytesOver4 struct{}

// Count returns ceil(bytes/4).
func (BytesOver4) Count(text string) int { return len(text)/4 + (len(text)%4+3)/4 }
