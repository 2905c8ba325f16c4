// Tests of what facts are about.

package distill

import "testing"

// W42: a newer state or choice has the entity of the older one.
func TestSubject(t *testing.T) {
	tests := []struct {
		text, entity, value string
	}{
		{"The API port is now 81.", "api port", "81"},
		{"Ana: Our API port was changed to 82.", "api port", "82"},
		{"API port = 83", "api port", "83"},
		{"The release date is set to April 14.", "release date", "April 14"},
		{"We chose Postgres over MySQL because of JSON indexes.", "mysql | postgres", "Postgres"},
		{"Ben: We chose MySQL over Postgres because it's simpler.", "mysql | postgres", "MySQL"},
		{"Team decided to use NATS instead of Kafka because it needs less care.", "kafka | nats", "NATS"},
		{"We switched from Jenkins to Buildkite because of its price.", "buildkite | jenkins", "Buildkite"},
		{"They replaced Redis with Valkey because of the licence.", "redis | valkey", "Valkey"},

		{"", "", ""},
		{"Ana: ", "", ""},
		{"Is the API port now 81?", "", ""},
		{"Maybe the API port is set to 81.", "", ""},
		{"Ana moved to Berlin.", "", ""},
		{"I prefer green tea.", "", ""},
		{"It is now 81.", "", ""},
		{"Postgres and MySQL are compared because somebody asked.", "", ""},
	}
	for _, tt := range tests {
		entity, value, ok := Subject(tt.text)
		if entity != tt.entity || value != tt.value || ok != (tt.entity != "") {
			t.Errorf("%q: got %q, %q, %v", tt.text, entity, value, ok)
		}
	}
}

// A plain "is" and what stands around an entity.
func TestClaimOf(t *testing.T) {
	tests := []struct {
		text, entity, value string
		plain               bool
	}{
		{"The API port is 81.", "api port", "81", true},
		{"Ana: Our API port is 81 because 80 is", "", "", false},
		{"Ana: Our API port is 81, because 80 is taken.", "", "", false},
		{"Ana: Our API port is 81 because of the proxy.", "api port", "81", true},
		{"And the API port is 81!", "api port", "81", true},
		{"The port of the staging server is 81", "port of staging server", "81", true},
		{"The upload limit is 1 GB.", "upload limit", "1 GB", true},
		{"The rent is 1,340 euros a month.", "rent", "1,340 euros a month", true},
		{"The deposit is three months.", "deposit", "three months", true},
		{"The release is on May 6.", "release", "on May 6", true},
		{"The standup is at 9:30.", "standup", "at 9:30", true},
		{"The opening date is 2026-05-06.", "opening date", "2026-05-06", true},
		{"The API host is api.example.com.", "api host", "api.example.com", true},
		{"The Go version is 1.26.1.", "go version", "1.26.1", true},
		{"Ana: My number is 0171 555 018", "ana's number", "0171 555 018", true},
		{"My limit is 900.", "my limit", "900", true},
		{"Ana's limit is 900.", "ana's limit", "900", true},
		{"Opening hours are 9:00.", "opening hours", "9:00", true},

		// Not a value, not a known sort, or not alone.
		{"The API port is open.", "", "", false},
		{"The API port is 80 or 81.", "", "", false},
		{"The API port is 80 on staging.", "", "", false},
		{"The API port is 80, the other one is 81.", "", "", false},
		{"The API port is about 80.", "", "", false},
		{"The API port is also 81.", "", "", false},
		{"The API port is not 81.", "", "", false},
		{"The API port isn't 81.", "", "", false},
		{"The API port was 81.", "", "", false},
		{"The API port will be 81.", "", "", false},
		{"Is the API port 81?", "", "", false},
		{"Maybe the API port is 81.", "", "", false},
		{"If the API port is 81, it works.", "", "", false},
		{"The API port is 81. It was 80.", "", "", false},
		{"The pipeline is 20 % slower than before.", "", "", false},
		{"The bus is 5 minutes late.", "", "", false},
		{"The meeting is on Monday.", "", "", false},
		{"The kitchen is 3.10 by 2.40.", "", "", false},
		{"The lead is Ben.", "", "", false},
		// Not one particular thing, or it isn't known whose.
		{"It is 81.", "", "", false},
		{"There are 5 nodes.", "", "", false},
		{"A port is 81.", "", "", false},
		{"Another port is 81.", "", "", false},
		{"One of the ports is 81.", "", "", false},
		{"Your port is 81.", "", "", false},
		{"Her limit is 900.", "", "", false},
		{"The ticket number is 48213.", "", "", false},
		{"The answer is 42.", "", "", false},
		// Somewhere else, or in somebody's mind.
		{"On staging the port is 81.", "", "", false},
		{"On staging, the port is 81.", "", "", false},
		{"Ben thinks the port is 81.", "", "", false},
		{"Ben says that the port is 81.", "", "", false},
		{"Yesterday the port is 81.", "", "", false},

		// The same around operators.
		{"By the way, the release day is now Thursday.", "release day", "Thursday", false},
		{"Ana: My port is now 81.", "ana's port", "81", false},
		{"My port is now 81.", "my port", "81", false},
		{"Your port is now 81.", "", "", false},
		{"Their port is now 81.", "", "", false},
		{"A port is now 81.", "", "", false},
		{"One of the ports is now 81.", "", "", false},
		{"The port isn't set to 80.", "", "", false},
		{"The port is no longer set to 80.", "", "", false},
		{"It wasn't enough, so the limit is now 500.", "limit", "500", false},
		{"On staging the port is now 81.", "", "", false},
		{"And on staging, the port is now 81.", "", "", false},
		{"Ben believes the port is now 81.", "", "", false},
		{"The user said that the port is now 81.", "port", "81", false},
		{"The port is now 80 on staging.", "port on staging", "80", false},
		{"The port on staging is now 81.", "port on staging", "81", false},
		{"The release is now on May 6.", "release", "on May 6", false},
		{"The date is now the 6th at 9.", "date", "the 6th at 9", false},
	}
	for _, tt := range tests {
		got, ok := ClaimOf(tt.text)
		if want := (Claim{tt.entity, tt.value, tt.plain}); got != want || ok != (tt.entity != "") {
			t.Errorf("%q: got %+v, %v", tt.text, got, ok)
		}
	}
}

func TestRivals(t *testing.T) {
	tests := []struct {
		older, newer string
		want         bool
	}{
		{"The API port is 80.", "The API port is 81", true},
		{"The API port is 80.", "The API port is now 81.", true},
		{"The API port was changed to 80.", "The API port is 81.", true},
		{"The API port is now 80.", "The API port is now open.", true}, // both are announced
		{"The API port is 80.", "The API port is now open.", false},
		{"The API port is 80.", "The admin port is 81.", false},
		{"The API port is 80.", "The second API port is 81.", false},
		{"Ana: My port is 80.", "Ben: My port is 81.", false},
		{"Ana: My port is 80.", "Ana's port is 81.", true},
		{"The limit is 1 GB.", "The limit is 512 MB.", true},
		{"The limit is 1 GB.", "The limit is 30 seconds.", false},
		{"The limit is 1 GB.", "The limit is 500.", false},
		{"The rent is 900 euros.", "The rent is 940 euros.", true},
		{"The rent is 900 euros a month.", "The rent is 30 euros a day.", false},
		{"The release is on May 6.", "The release is on May 20.", true},
		{"The release is on May 6.", "The release is at 9:30.", false},
		{"The standup is at 9.", "The standup is at 9:30.", true},
		{"The contact is a@x.example.", "The contact is b@x.example.", true},
		{"The contact is a@x.example.", "The contact is 0171 555.", false},
		{"The team is 5 engineers.", "The team is 2 designers.", false},
		{"The port is now 80 on staging.", "The port is now 81 on production.", false},
	}
	for _, tt := range tests {
		older, ok := ClaimOf(tt.older)
		newer, ok2 := ClaimOf(tt.newer)
		if got := older.Rivals(newer); got != tt.want || got != newer.Rivals(older) || !ok || !ok2 {
			t.Errorf("%q, %q: %v (%+v, %+v)", tt.older, tt.newer, got, older, newer)
		}
	}
	if (Claim{}).Rivals(Claim{}) {
		t.Error("nothing rivals nothing")
	}
}

func FuzzSubject(f *testing.F) {
	f.Add("Ana: We chose Postgres over MySQL because of JSON.")
	f.Add("the port is now 81")
	f.Add("Ana: my port is 1,000 MB a day because of it")
	f.Add("the port is on the 6th of May")
	f.Add("Ä over Ö because = \xff")
	f.Fuzz(func(t *testing.T, text string) {
		c, ok := ClaimOf(text)
		if ok != (c.Entity != "") || ok != (c.Value != "") || !ok && c.Plain {
			t.Fatalf("%q: %+v, %v", text, c, ok)
		}
		if c.Plain && !c.Rivals(c) {
			t.Fatalf("%q: %+v has a value of no sort", text, c)
		}
	})
}

func BenchmarkSubject(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Subject("Ana: We chose Postgres over MySQL because of JSON indexes.")
	}
}
