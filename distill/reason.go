// Why parts of a memory are left out.

package distill

// Reason says why something was left out.
type Reason string

// The reasons.
const (
	ReasonForm   Reason = "form"   // not an object with a kind and a text
	ReasonKind   Reason = "kind"   // a kind that isn't one of Kinds
	ReasonEmpty  Reason = "empty"  // no text
	ReasonSize   Reason = "size"   // too many facts, or a text that goes on and on
	ReasonEcho   Reason = "echo"   // repeats the instructions or the delimiter
	ReasonWords  Reason = "words"  // too few of its words are in the transcript
	ReasonNumber Reason = "number" // a number that isn't in the transcript
	ReasonName   Reason = "name"   // a name that isn't in the transcript
)

// Dropped is one fact, or the summary, that was left out.
type Dropped struct {
	// Index is the position among the facts that were given, -1 for the summary.
	Index int
	// Fact is the fact as far as it could be read. For the summary its kind is
	// empty and its text is the summary.
	Fact   Fact
	Reason Reason
	// Detail says more for a person to read. Like the fact it may quote what the
	// model wrote, so it is untrusted text.
	Detail string
}
