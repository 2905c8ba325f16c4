// Irregular English forms, which no suffix rule reduces to their base.

package analyzer

import "strings"

// irregularList holds one base form and its other forms per group. Forms that
// are more often another word ("left", "lay", "lit", "better") are missing on
// purpose.
const irregularList = `
be was were been is are am; go went gone; buy bought; see saw seen; get got gotten;
make made; take took taken; give gave given; find found; think thought; tell told;
become became; feel felt; bring brought; begin began begun; keep kept; hold held;
write wrote written; stand stood; hear heard; mean meant; meet met; run ran; pay paid;
sit sat; speak spoke spoken; lie lain; lead led; grow grew grown; lose lost;
fall fell fallen; send sent; build built; draw drew drawn; break broke broken;
spend spent; drive drove driven; wear wore worn; rise rose risen; choose chose chosen;
fight fought; throw threw thrown; catch caught; teach taught; win won; sell sold;
eat ate eaten; drink drank drunk; sing sang sung; swim swam swum; fly flew flown;
ride rode ridden; sleep slept; know knew known; come came; do did done; say said;
forget forgot forgotten; understand understood; steal stole stolen; shake shook shaken;
hide hid hidden; wake woke woken; shoot shot; stick stuck; swing swung; hang hung;
feed fed; seek sought; deal dealt; sweep swept; dig dug; bite bitten; tear tore torn;
freeze froze frozen; lend lent; bend bent; lay laid; sink sank sunk; shrink shrank shrunk;
swear swore sworn; weave wove woven; cling clung; spin spun; creep crept; weep wept;
flee fled; blow blew blown; ring rang rung; arise arose arisen; forgive forgave forgiven;
withdraw withdrew withdrawn; overcome overcame; undergo underwent undergone;
rebuild rebuilt; rewrite rewrote rewritten; redo redid redone;
have had has; child children; man men; woman women; person people; foot feet;
tooth teeth; mouse mice; goose geese; wife wives; life lives; knife knives;
half halves; shelf shelves; thief thieves; wolf wolves; loaf loaves;
index indices; matrix matrices; vertex vertices
`

// irregularForms maps every listed form to its base.
func irregularForms() map[string]string {
	forms := make(map[string]string)
	for group := range strings.SplitSeq(irregularList, ";") {
		words := strings.Fields(group)
		for _, form := range words[1:] {
			forms[form] = words[0]
		}
	}
	return forms
}
