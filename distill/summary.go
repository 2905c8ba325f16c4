// The summary of the extractive distiller.

package distill

import (
	"slices"
	"strings"
)

// maxSummarySentences bounds the passes over all sentences.
const maxSummarySentences = 8

// summary picks the most central sentences, one after the other, as long as
// there is room, and returns them in the order of the transcript.
func (e *extractive) summary(sentences []sentence) string {
	room := e.o.SummaryWords
	weights := wordWeights(sentences)
	taken := make([]bool, len(sentences))
	for range maxSummarySentences {
		best, bestScore := -1, -1.0
		for i, s := range sentences {
			if taken[i] || len(s.words) < 2 || len(s.class.Superseded) > 0 || asks(s.text) || cost(s) > room {
				continue
			}
			sum := 0
			for _, word := range s.words {
				sum += weights[word]
			}
			if s.speaks == assistant {
				sum /= 2
			}
			if score := float64(sum) / float64(len(s.words)+3); score > bestScore {
				best, bestScore = i, score
			}
		}
		if best < 0 {
			break
		}
		taken[best] = true
		room -= cost(sentences[best])
		for _, word := range sentences[best].words {
			weights[word] /= 2
		}
	}
	return told(sentences, taken)
}

// cost is the number of words that a sentence takes with its speaker.
func cost(s sentence) int { return s.length + len(strings.Fields(s.name)) }

// wordWeights returns for each word 16 times the number of turns that it is in.
// The factor leaves room for halving.
func wordWeights(sentences []sentence) map[string]int {
	weights := map[string]int{}
	counted := map[string]int{}
	for _, s := range sentences {
		for _, word := range s.words {
			if counted[word] != s.turn+1 {
				counted[word] = s.turn + 1
				weights[word] += 16
			}
		}
	}
	return weights
}

// told joins the chosen sentences. The speaker is named where it changes.
func told(sentences []sentence, taken []bool) string {
	var parts []string
	speaker := ""
	for i, s := range sentences {
		if !taken[i] {
			continue
		}
		text := s.text
		if name := attributed(s, ""); name != speaker || len(parts) == 0 {
			text, speaker = attributed(s, text), name
		}
		parts = append(parts, text)
	}
	return strings.Join(slices.Clip(parts), " ")
}
