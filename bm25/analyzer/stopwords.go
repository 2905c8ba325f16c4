// The English stop words that a query leaves out.

package analyzer

import "strings"

// stopWordList holds function words of English: a question is asked with them,
// but they say nothing about its subject.
const stopWordList = `
a about above after again all also am an and any are as at be been before
being below both but by can could did do does during each few for from
further had has have he her here him his how i if in into is it its just
may me might more most must my no not of on once only or other our out own
same shall she should so some such than that the their them then there
these they this to too up very was we were what when where which who whom
why will with would you your`

// stopWords returns the list as a set.
func stopWords() map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(stopWordList) {
		set[w] = true
	}
	return set
}
