package contextforge

// This file decides how an answer becomes a block of a prompt.

import (
	"context"
	"math"

	"github.com/contextforge-go/contextforge/render"
)

// RenderHits returns hits in the form that render.Block and render.Fit quote.
func RenderHits(hits []Hit) []render.Hit {
	out := make([]render.Hit, len(hits))
	for i := range hits {
		h := &hits[i]
		out[i] = render.Hit{
			ID: h.ID, Content: h.Content, Kind: h.Kind, Scope: h.Scope, SessionID: h.SessionID,
			Timestamp: h.Timestamp, Score: h.Score,
		}
		for _, reason := range h.Suspicious {
			out[i].Suspicious = append(out[i].Suspicious, string(reason))
		}
	}
	return out
}

// QueryBlock answers as Query does, with one block of text for a prompt: quoted
// and labelled, so that nothing in an entry can leave the quotation. The whole
// block, with its frame and labels, keeps within the token budget by
// Config.Counter. It is empty when nothing is found or fits; the hits are those
// in it.
//
// The block is data. Put it on lines of its own, and tell the model that it is
// a quotation and no instruction.
func (m *Memory) QueryBlock(ctx context.Context, text string, o QueryOptions, ro render.Options) (block string, hits []Hit, err error) {
	limit := o.TokenBudget
	defaultTo(&limit, m.cfg.TokenBudget)
	if limit > 0 { // what the frame of one entry displaces, a smaller one may fill
		o.TokenBudget = limit + min(limit, math.MaxInt-limit)/4
	}
	hits, err = m.Query(ctx, text, o)
	if err != nil {
		return "", nil, err
	}
	block, kept := render.Fit(RenderHits(hits), limit, m.cfg.Counter.Count, ro)
	return block, keptOf(hits, kept), nil
}

// keptOf returns the hits that a block kept, which are in the same order.
func keptOf(hits []Hit, kept []render.Hit) (out []Hit) {
	for _, h := range hits {
		if len(out) < len(kept) && h.ID == kept[len(out)].ID {
			out = append(out, h)
		}
	}
	return out
}
