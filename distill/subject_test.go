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

func FuzzSubject(f *testing.F) {
	f.Add("Ana: We chose Postgres over MySQL because of JSON.")
	f.Add("the port is now 81")
	f.Add("Ä over Ö because = \xff")
	f.Fuzz(func(t *testing.T, text string) {
		entity, value, ok := Subject(text)
		if ok != (entity != "") || ok != (value != "") {
			t.Fatalf("%q: %q, %q, %v", text, entity, value, ok)
		}
	})
}

func BenchmarkSubject(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Subject("Ana: We chose Postgres over MySQL because of JSON indexes.")
	}
}
