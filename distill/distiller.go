// Who distills, and what that costs.

package distill

import (
	"context"
	"sync"
)

// Distiller makes memory of the transcript of a conversation. Implementations
// must be safe for concurrent use, return promptly with an error once ctx is
// done, and not keep goroutines. They neither scrub nor cap: what they return is
// to pass through [Clean] before it is kept.
type Distiller interface {
	Distill(ctx context.Context, transcript string) (DistilledMemory, error)
}

// DistillerFunc makes a Distiller of a function.
type DistillerFunc func(ctx context.Context, transcript string) (DistilledMemory, error)

// Distill calls f.
func (f DistillerFunc) Distill(ctx context.Context, transcript string) (DistilledMemory, error) {
	return f(ctx, transcript)
}

// Usage is what calls to a model cost, in the model's own tokens.
type Usage struct {
	PromptTokens, CompletionTokens, Calls int
}

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		PromptTokens:     u.PromptTokens + v.PromptTokens,
		CompletionTokens: u.CompletionTokens + v.CompletionTokens,
		Calls:            u.Calls + v.Calls,
	}
}

// Meter adds up usages. A distiller that calls a model takes a callback for the
// usage of each call, and Meter.Record is one. The zero value is ready, and all
// methods may be called concurrently. A Meter must not be copied.
type Meter struct {
	mu    sync.Mutex
	total Usage
}

// Record adds the usage of one or more calls.
func (m *Meter) Record(u Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total = m.total.Add(u)
}

// Usage returns the sum of what was recorded.
func (m *Meter) Usage() Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.total
}
