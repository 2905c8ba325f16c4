// This file decides which English words are no part of what an entity is called.

package analysis

// role is what a word does around a noun phrase.
type role uint8

const (
	noun        role = iota // or anything else that may name something
	determiner              // begins a noun phrase
	preposition             // joins two
	auxiliary               // belongs to the verb
	adverb
	breaker // begins another clause, or stands for something
)

// roleOf returns the role of a word in lower case.
func roleOf(w string) role {
	switch w {
	case "the", "a", "an", "this", "that", "these", "those", "my", "our", "your", "his", "her", "its", "their",
		"whose", "some", "any", "each", "every", "all", "both", "another", "such":
		return determiner
	case "of", "for", "in", "on", "at", "from", "by", "with", "per", "inside", "within", "under", "to", "into", "via", "about":
		return preposition
	case "is", "are", "was", "were", "be", "been", "being", "am", "has", "have", "had", "having", "gets", "get", "got",
		"do", "does", "did", "will", "would", "shall", "should", "can", "could", "may", "might", "must", "needs",
		"it's", "it’s", "that's", "that’s", "not":
		return auxiliary
	case "now", "actually", "currently", "basically", "really", "just", "also", "still", "already", "always", "finally",
		"recently", "simply", "again", "only", "even", "newly", "temporarily", "permanently", "automatically", "yesterday",
		"today", "later", "additionally", "apparently", "obviously", "probably", "maybe", "perhaps", "initially", "originally",
		"previously", "anyway", "too", "meanwhile", "afterwards", "fyi", "btw", "instead", "usually":
		return adverb
	case "i", "we", "you", "he", "she", "it", "they", "me", "us", "him", "them", "there", "here", "who", "which", "what",
		"i'm", "i’m", "we've", "we’ve", "i've", "i’ve", "let", "let's", "let’s",
		"and", "or", "but", "nor", "so", "yet", "because", "since", "if", "unless", "when", "whenever", "while", "whereas",
		"where", "until", "till", "after", "before", "once", "as", "than", "although", "though", "then", "thus", "hence",
		"therefore", "however", "otherwise", "yes", "no", "ok", "okay", "well", "please", "note", "remember", "like":
		return breaker
	}
	return noun
}
