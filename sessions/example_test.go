// Messages of which some name their session.

package sessions_test

import (
	"fmt"
	"time"

	"github.com/contextforge-go/contextforge/sessions"
)

func ExampleGroup() {
	type message struct {
		text    string
		session string
		minute  int
	}
	messages := []message{
		{"set the port to 81", "", 0}, {"done", "", 2}, {"how about lunch?", "phone", 3}, {"what's the port?", "", 45},
	}
	start := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	key := func(m message) sessions.Key {
		return sessions.Key{SessionID: m.session, Timestamp: start.Add(time.Duration(m.minute) * time.Minute)}
	}
	groups, err := sessions.Group(messages, key, sessions.DefaultGap)
	if err != nil {
		fmt.Println(err)
	}
	for _, g := range groups {
		fmt.Println(g.ID, g.Start.Format("15:04"), len(g.Entries))
	}
	// Output:
	// __fallback__1767258000 09:00 2
	// phone 09:03 1
	// __fallback__1767260700 09:45 1
}
