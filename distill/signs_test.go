// Tests of facts that only the form of a sentence shows.

package distill

import (
	"testing"

	"github.com/contextforge-go/contextforge/analysis"
)

func TestKindByForm(t *testing.T) {
	tests := []struct {
		speaks  role
		answers bool
		text    string
		want    Kind
	}{
		// What is said to be so, with something particular.
		{named, false, "The surgery is on the 22nd.", State},
		{named, false, "The shop opens on Monday.", State},
		{named, false, "Deposit is three months.", State},
		{named, false, "It sits in /var/cache.", State},
		{named, false, "The dog went to Dr Amari.", State},
		{named, false, "Rent is due every quarter.", State},
		{user, false, "my left knee acts up on downhills", State},
		{user, false, "Our pods have little memory.", State},
		{user, false, "I don't own a watch.", State},
		{user, false, "In this project errors start with a small letter.", State},
		{named, false, "The music was beautiful.", ""},
		{named, false, "The tea is cold already.", ""},
		{named, false, "I don't know the answer.", ""},
		{named, false, "You were there on Monday.", ""},
		{named, false, "My weekend was so good.", ""},
		{named, false, "Maybe the shop opens on Monday.", ""},
		{named, false, "Thanks for the 20 cards.", ""},
		{named, false, "Good to see you, Ana!", ""},
		{named, false, "Hey Benni, that was unreal!", ""},

		// Short answers.
		{user, true, "four days", State},
		{user, true, "Melatonin, 2 mg.", State},
		{user, true, "Always.", ""},
		{user, true, "not much", ""},
		{user, false, "four days", ""},

		// What is settled.
		{named, false, "Friday it is then.", Decision},
		{named, false, "Disk it is.", Decision},
		{named, false, "Saturday the 2nd then.", Decision},
		{named, false, "CDN is out, legal won't allow it.", Decision},
		{named, false, "ok, May 20.", Decision},
		{named, false, "So we cook ourselves.", Decision},
		{named, false, "Then let's drop it.", Decision},
		{named, false, "We'll take the room on Friday.", Decision},
		{named, false, "We’ll take the room on Friday.", Decision},
		{named, false, "I'm adding one on Monday.", Decision},
		{named, false, "That is out of date.", ""},
		{named, false, "Let's see.", ""},
		{named, false, "Let's talk on Monday.", ""},
		{named, false, "I don't feel well.", ""},
		{named, false, "See you then.", ""},
		{named, false, "What a day it is.", ""},

		// What somebody wants to have.
		{user, false, "No inline styles, ever.", Preference},
		{user, false, "And no carpet anywhere.", Preference},
		{user, false, "Make it 1 GB.", Preference},
		{user, false, "Put that run on friday.", Preference},
		{user, false, "Send it to my home address.", Preference},
		{user, false, "Please ring the side door.", Preference},
		{user, false, "Bring your passport, please.", Preference},
		{user, false, "The button must stay disabled.", Preference},
		{user, false, "Friday morning works better for us.", Preference},
		{user, false, "Distances in km always, never miles.", Preference},
		{named, false, "He wants the window bed.", Preference},
		{named, false, "No, it rained.", ""},
		{named, false, "No problem at all.", ""},
		{named, false, "That must have been tough.", ""},
		{named, false, "You must be tired.", ""},
		{named, false, "Keep it up!", ""},
		{named, false, "Look at that rain.", ""},

		// What is set right.
		{user, false, "That should be lena@posteo.example.", Correction},
		{user, false, "They shouldn't.", Correction},

		// Assistants: what they did or will do, and what is "yours", not what they know.
		{assistant, false, "I have raised the limit to 100,000 rows.", State},
		{assistant, false, "Done, the limit is 1 GB.", State},
		{assistant, false, "Your ticket number is 48213.", State},
		{assistant, false, "We'll credit you 12 euros.", Decision},
		{assistant, false, "I'm sending a technician on Thursday.", Decision},
		{assistant, false, "Friday it is then.", Decision},
		{assistant, false, "Go 1.26 was released in February.", ""},
		{assistant, false, "Do 3 sets of 12.", ""},
		{assistant, false, "Here is your list of 12 songs.", ""},
		{assistant, false, "I've got 12 songs for you.", ""},
		{assistant, false, "No sugar on Mondays.", ""},
		{assistant, false, "The treaty of 1648 ended your war, it says in all of the many books that were written since then about that war and about its end.", ""},
	}
	where := settingOf([]turn{{role: named, name: "Ana"}, {role: named, name: "Benni"}})
	for _, tt := range tests {
		c := analysis.Classified{Passage: analysis.Passage{Text: tt.text}}
		got, ok := kindByForm(c, tt.speaks, tt.answers, &where)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%q by %d: got %q, want %q", tt.text, tt.speaks, got, tt.want)
		}
	}
	replaced := analysis.Classified{Passage: analysis.Passage{Text: "The port is 80."}, Superseded: []analysis.Category{analysis.Stateful}}
	if got, ok := kindByForm(replaced, named, false, &where); ok {
		t.Errorf("what a later sentence replaces is %q", got)
	}
}

// In German, capitals are no names.
func TestSettingNames(t *testing.T) {
	german := settingOf([]turn{{role: named, name: "Ana", text: "Der Hund ist nicht da und die Katze auch nicht."}})
	if german.named("Ich sah den Hund im Garten.") {
		t.Error("nouns are taken for names")
	}
	english := settingOf([]turn{{role: named, name: "Ana Lima", text: "The dog is not here."}})
	for text, want := range map[string]bool{
		"I saw Biscuit there.": true, "I know, Ana.": false, "I know, Lima.": false, "I met Ana and Tom.": true, "I know.": false,
	} {
		if got := english.named(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestSentencesOf(t *testing.T) {
	tests := []struct {
		talk string
		want []string
	}{
		{"", nil},
		{"yes, yesterday. surgery is on the 22nd, at St. Vincent", []string{"yes, yesterday.", "surgery is on the 22nd, at St. Vincent"}},
		{"cabins!! my back hurts? no. ok", []string{"cabins!!", "my back hurts?", "no. ok"}},
		{"it costs approx. five, see vol. two etc. and so on", []string{"it costs approx. five, see vol. two etc. and so on"}},
		{"Yes, yesterday. surgery is soon.", []string{"Yes, yesterday. surgery is soon."}},
		{"ja, gestern. Heute nicht.", []string{"ja, gestern.", "Heute nicht."}},
	}
	for _, tt := range tests {
		var got []string
		for text := range sentencesOf(tt.talk) {
			got = append(got, text)
		}
		if len(got) != len(tt.want) {
			t.Errorf("%q: %q", tt.talk, got)
			continue
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("%q: %q", tt.talk, got)
			}
		}
	}
}
