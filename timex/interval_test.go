// Tables of what questions restrict themselves to, asked on Monday, 8 May 2023.

package timex

import (
	"testing"
	"time"
)

// restriction is one line of a table: from and to as ISO dates, "" for none.
type restriction struct{ query, from, to string }

func checkIntervals(t *testing.T, table []restriction) {
	t.Helper()
	for _, tt := range table {
		from, to, ok := Interval(tt.query, monday())
		got := restriction{tt.query, "", ""}
		if ok {
			got.from, got.to = from.Format(time.DateOnly), to.Format(time.DateOnly)
		}
		if got != tt {
			t.Errorf("Interval(%q) = %s %s, want %s %s", tt.query, got.from, got.to, tt.from, tt.to)
		}
	}
}

const (
	beginning = "0001-01-01"
	end       = "10000-01-01"
)

func TestIntervalDates(t *testing.T) {
	checkIntervals(t, []restriction{
		{"What did I do in May 2022?", "2022-05-01", "2022-06-01"}, {"in May of 2022", "2022-05-01", "2022-06-01"},
		{"May 2022", "2022-05-01", "2022-06-01"}, {"on 7 May 2022", "2022-05-07", "2022-05-08"},
		{"the 7th of May, 2022", "2022-05-07", "2022-05-08"}, {"May 7, 2022", "2022-05-07", "2022-05-08"},
		{"May 7th 2022", "2022-05-07", "2022-05-08"}, {"on May 7", "2023-05-07", "2023-05-08"}, {"on May 9", "2022-05-09", "2022-05-10"},
		{"on 29 February", "2020-02-29", "2020-03-01"}, {"in 2022", "2022-01-01", "2023-01-01"}, {"Room 2022", "", ""},
		{"2022-05-07", "2022-05-07", "2022-05-08"}, {"7.5.2022", "2022-05-07", "2022-05-08"}, {"5/7/2022", "2022-05-07", "2022-05-08"},
		{"in April", "2023-04-01", "2023-05-01"}, {"in May", "2023-05-01", "2023-06-01"}, {"in June", "2022-06-01", "2022-07-01"},
		{"may I go", "", ""}, {"What may happen", "", ""}, {"summer 2022", "2022-06-01", "2022-09-01"}, {"winter of 2021", "2021-12-01", "2022-03-01"},
		{"in the summer", "2022-06-01", "2022-09-01"}, {"spring rolls", "", ""}, {"last winter", "2022-12-01", "2023-03-01"},
		{"last spring", "2022-03-01", "2022-06-01"}, {"this spring", "2023-03-01", "2023-06-01"}, {"next summer", "2023-06-01", "2023-09-01"},
		{"at Christmas 2022", "2022-12-24", "2022-12-27"}, {"last Christmas", "2022-12-24", "2022-12-27"}, {"on Halloween", "2022-10-31", "2022-11-01"},
		{"Valentine's Day 2022", "2022-02-14", "2022-02-15"}, {"in early May 2022", "2022-05-01", "2022-06-01"}, {"on 31 April", "", ""},
		{"", "", ""}, {"Who am I?", "", ""},
	})
}

func TestIntervalRelative(t *testing.T) {
	checkIntervals(t, []restriction{
		{"What happened yesterday?", "2023-05-07", "2023-05-08"}, {"today", "2023-05-08", "2023-05-09"}, {"tomorrow", "2023-05-09", "2023-05-10"},
		{"the day before yesterday", "2023-05-06", "2023-05-07"}, {"last night", "2023-05-07", "2023-05-08"},
		{"last week", "2023-05-01", "2023-05-08"}, {"this week", "2023-05-08", "2023-05-15"}, {"next week", "2023-05-15", "2023-05-22"},
		{"last month", "2023-04-01", "2023-05-01"}, {"this month", "2023-05-01", "2023-06-01"}, {"last year", "2022-01-01", "2023-01-01"},
		{"last weekend", "2023-05-06", "2023-05-08"}, {"on the weekend", "2023-05-06", "2023-05-08"}, {"this weekend", "2023-05-13", "2023-05-15"},
		{"last Friday", "2023-05-05", "2023-05-06"}, {"next Friday", "2023-05-12", "2023-05-13"}, {"this Friday", "2023-05-12", "2023-05-13"},
		{"on Friday", "2023-05-05", "2023-05-06"}, {"on Monday", "2023-05-08", "2023-05-09"}, {"last May", "2022-05-01", "2022-06-01"},
		{"last April", "2023-04-01", "2023-05-01"}, {"next May", "2024-05-01", "2024-06-01"}, {"three weeks ago", "2023-04-17", "2023-04-24"},
		{"two days ago", "2023-05-06", "2023-05-07"}, {"a couple of months ago", "2023-03-01", "2023-04-01"}, {"five years ago", "2018-01-01", "2019-01-01"},
		{"in the last three weeks", "2023-04-17", "2023-05-09"}, {"the past week", "2023-05-01", "2023-05-09"}, {"half past two", "", ""}, {"the past", "", ""}, {"the past 10 days", "2023-04-28", "2023-05-09"}, {"300 weeks ago", "", ""},
		{"the last time", "", ""}, {"last day", "", ""}, {"this hour", "", ""}, {"three of us", "", ""}, {"two cats", "", ""}, {"next", "", ""}, {"the last 300 days", "", ""}, {"a few days ago", "2023-05-05", "2023-05-06"},
	})
}

func TestIntervalBounds(t *testing.T) {
	checkIntervals(t, []restriction{
		{"since June", "2022-06-01", end}, {"since last week", "2023-05-01", end}, {"before Christmas 2022", beginning, "2022-12-24"},
		{"before May 2022", beginning, "2022-05-01"}, {"after May 2022", "2022-06-01", end}, {"until 2022", beginning, "2023-01-01"},
		{"between March and May 2022", "2022-03-01", "2022-06-01"}, {"between November and March 2022", "2021-11-01", "2022-04-01"},
		{"between 2020 and 2022", "2020-01-01", "2023-01-01"}, {"from March to April", "2023-03-01", "2023-05-01"},
		{"between November and March", "2022-11-01", "2023-04-01"}, {"between May 3 and May 7 2022", "2022-05-03", "2022-05-08"},
		{"from 2020", "2020-01-01", end}, {"from home to work", "", ""}, {"between us", "", ""},
		{"two days after 7 May 2022", "2022-05-09", "2022-05-10"}, {"three weeks before Christmas 2022", "2022-12-03", "2022-12-10"},
		{"in 2022 or in 2020", "2020-01-01", "2023-01-01"}, {"in May 2022, on 7 May 2022", "2022-05-07", "2022-05-08"},
		{"three weeks before the trip", "", ""}, {"What did I do after the trip in May?", "", ""}, {"since when", "", ""},
		{"on the Sunday before October 25, 2022", "2022-10-23", "2022-10-24"}, {"the week before August 3, 2022", "2022-07-27", "2022-08-03"},
		{"last weekend before April 10, 2022", "2022-04-09", "2022-04-11"}, {"the weekend after 3rd August 2022", "2022-08-06", "2022-08-08"},
		{"the day after 3 August 2022", "2022-08-04", "2022-08-05"}, {"the Friday after 3 August 2022", "2022-08-05", "2022-08-06"},
		{"say goodbye to on 3 June, 2022", "2022-06-03", "2022-06-04"}, {"as of 3 June, 2022", beginning, "2022-06-04"},
		{"an aspect of autumn", "", ""}, {"plans for the summer", "", ""}, {"during the summer", "2022-06-01", "2022-09-01"},
		{"during their trip last year", "2022-01-01", "2023-01-01"}, {"the week before the trip in 2022", "", ""},
		{"in 2022, before the trip", "2022-01-01", "2023-01-01"}, {"before that", "", ""},
	})
}

func TestIntervalLanguages(t *testing.T) {
	checkIntervals(t, []restriction{
		{"Was war im Mai 2022?", "2022-05-01", "2022-06-01"}, {"am 7. Mai 2022", "2022-05-07", "2022-05-08"}, {"letzte Woche", "2023-05-01", "2023-05-08"},
		{"vor drei Wochen", "2023-04-17", "2023-04-24"}, {"seit Juni", "2022-06-01", end}, {"zwischen März und April", "2023-03-01", "2023-05-01"},
		{"im Sommer 2022", "2022-06-01", "2022-09-01"}, {"letzten Freitag", "2023-05-05", "2023-05-06"}, {"gestern", "2023-05-07", "2023-05-08"},
		{"diesen Monat", "2023-05-01", "2023-06-01"}, {"vor Weihnachten 2022", beginning, "2022-12-24"}, {"in den letzten zwei Wochen", "2023-04-24", "2023-05-09"},
		{"en mai 2022", "2022-05-01", "2022-06-01"}, {"le 7 mai 2022", "2022-05-07", "2022-05-08"}, {"la semaine dernière", "2023-05-01", "2023-05-08"},
		{"il y a trois semaines", "2023-04-17", "2023-04-24"}, {"il y a un an", "2022-01-01", "2023-01-01"}, {"depuis juin", "2022-06-01", end},
		{"entre mars et avril", "2023-03-01", "2023-05-01"}, {"vendredi dernier", "2023-05-05", "2023-05-06"},
		{"en mayo de 2022", "2022-05-01", "2022-06-01"}, {"el 7 de mayo de 2022", "2022-05-07", "2022-05-08"}, {"la semana pasada", "2023-05-01", "2023-05-08"},
		{"hace tres semanas", "2023-04-17", "2023-04-24"}, {"desde junio", "2022-06-01", end}, {"el mes que viene", "2023-06-01", "2023-07-01"},
		{"antes de mayo", beginning, "2023-05-01"}, {"tre settimane fa", "2023-04-17", "2023-04-24"}, {"tra marzo e aprile", "2023-03-01", "2023-05-01"},
		{"il mese scorso", "2023-04-01", "2023-05-01"}, {"há três semanas", "2023-04-17", "2023-04-24"}, {"no mês passado", "2023-04-01", "2023-05-01"},
		{"drie weken geleden", "2023-04-17", "2023-04-24"}, {"vorige week", "2023-05-01", "2023-05-08"}, {"tussen maart en april", "2023-03-01", "2023-05-01"},
		{"2022年5月", "2022-05-01", "2022-06-01"}, {"2022年5月7日", "2022-05-07", "2022-05-08"}, {"2022年做了什么", "2022-01-01", "2023-01-01"},
		{"上周", "2023-05-01", "2023-05-08"}, {"今年", "2023-01-01", "2024-01-01"}, {"三周前", "2023-04-17", "2023-04-24"}, {"昨日", "2023-05-07", "2023-05-08"},
		{"4月7日", "2023-04-07", "2023-04-08"}, {"5月2022年", "", ""}, {"il y a sept ans", "2016-01-01", "2017-01-01"},
		{"le mois de 10 chiens", "", ""}, {"je suis venu hier", "2023-05-07", "2023-05-08"}, {"hier", "", ""}, {"Hui", "", ""}, {"4月に", "2023-04-01", "2023-05-01"},
	})
}

func TestIntervalYears(t *testing.T) {
	for _, year := range []int{-5, 0, 10000} {
		if _, _, ok := Interval("yesterday", time.Date(year, 5, 5, 0, 0, 0, 0, time.UTC)); ok {
			t.Errorf("year %d", year)
		}
	}
	if _, _, ok := Interval("last year", time.Date(1, 5, 5, 0, 0, 0, 0, time.UTC)); ok {
		t.Error("the year 0")
	}
	if _, to, ok := Interval("this year", time.Date(9999, 5, 5, 0, 0, 0, 0, time.UTC)); !ok || to.Year() != 10000 {
		t.Errorf("%v %v", to, ok)
	}
}

// Months in the order of the year that is asked for.
func TestIntervalOrder(t *testing.T) {
	december := time.Date(2022, 12, 10, 0, 0, 0, 0, time.UTC)
	for query, want := range map[string]string{
		"between November and March": "2021-11-01 2022-04-01", "between March and November": "2022-03-01 2022-12-01",
		"from October to December": "2022-10-01 2023-01-01", "between Monday and Friday": "2022-12-05 2022-12-10",
		"in March or in November": "2022-03-01 2022-12-01", "in November or in March": "2022-03-01 2022-12-01",
	} {
		from, to, _ := Interval(query, december)
		if got := from.Format(time.DateOnly) + " " + to.Format(time.DateOnly); got != want {
			t.Errorf("Interval(%q) = %s, want %s", query, got, want)
		}
	}
}

// The answer is in the location of now.
func TestIntervalLocation(t *testing.T) {
	east := time.FixedZone("east", 14*3600)
	from, to, ok := Interval("today", monday().In(east))
	if want := time.Date(2023, 5, 9, 0, 0, 0, 0, east); !ok || !from.Equal(want) || !to.Equal(want.AddDate(0, 0, 1)) || from.Location() != east {
		t.Errorf("%v %v %v", from, to, ok)
	}
}

func TestAnchor(t *testing.T) {
	for _, tt := range []struct {
		query string
		want  Offset
		event string
	}{
		{"What did I do three weeks before the trip to Rome?", Offset{-1, 3, Week, false}, "the trip to Rome"},
		{"What happened two days after my birthday", Offset{1, 2, Day, false}, "my birthday"},
		{"a couple of months after I moved to Berlin, who called?", Offset{1, 2, Month, false}, "I moved to Berlin"},
		{"the week before the wedding", Offset{-1, 1, Week, true}, "the wedding"}, {"the day after the party", Offset{1, 1, Day, false}, "the party"},
		{"Where did she work before the trip?", Offset{Side: -1}, "the trip"}, {"after work", Offset{Side: 1}, "work"},
		{"since the accident", Offset{Side: 1}, "the accident"}, {"during our holiday", Offset{}, "our holiday"},
		{"drei Wochen vor der Reise", Offset{-1, 3, Week, false}, "der Reise"}, {"eine Woche nach der Hochzeit", Offset{1, 1, Week, false}, "der Hochzeit"},
		{"trois jours avant le voyage", Offset{-1, 3, Day, false}, "le voyage"}, {"dos semanas antes del viaje", Offset{-1, 2, Week, false}, "viaje"},
		{"due giorni dopo la festa", Offset{1, 2, Day, false}, "la festa"}, {"dois anos depois da festa", Offset{1, 2, Year, false}, "festa"},
		{"twee weken voor de reis", Offset{-1, 2, Week, false}, "de reis"}, {"two weeks before Christmas dinner?", Offset{}, ""},
		{"in 2022", Offset{}, ""}, {"before May 2022", Offset{}, ""}, {"before", Offset{}, ""}, {"Did I ask that before?", Offset{}, ""},
		{"ein Geschenk vor dem Haus", Offset{}, ""}, {"two days after lunch. Then", Offset{1, 2, Day, false}, "lunch"}, {"300 days after lunch", Offset{Side: 1}, "lunch"}, {"before that", Offset{}, ""}, {"since when", Offset{}, ""}, {"", Offset{}, ""},
	} {
		got, event, ok := Anchor(tt.query)
		if got != tt.want || event != tt.event || ok != (tt.event != "") {
			t.Errorf("Anchor(%q) = %v %q %v, want %v %q", tt.query, got, event, ok, tt.want, tt.event)
		}
	}
}

func TestOffset(t *testing.T) {
	for _, tt := range []struct {
		o        Offset
		from, to string
	}{
		{Offset{}, "2023-05-08", "2023-05-09"}, {Offset{Side: -1}, beginning, "2023-05-08"}, {Offset{Side: 1}, "2023-05-09", end},
		{Offset{-1, 2, Day, false}, "2023-05-06", "2023-05-07"}, {Offset{-1, 3, Week, false}, "2023-04-14", "2023-04-21"},
		{Offset{1, 1, Month, false}, "2023-05-24", "2023-06-24"}, {Offset{1, 1, Year, false}, "2023-11-08", "2024-11-07"},
		{Offset{-1, 1, Week, true}, "2023-05-01", "2023-05-08"}, {Offset{1, 1, Month, true}, "2023-05-09", "2023-06-09"},
		{Offset{-1, 9000, Year, false}, beginning, beginning},
	} {
		from, to := tt.o.From(monday())
		if from.Format(time.DateOnly) != tt.from || to.Format(time.DateOnly) != tt.to {
			t.Errorf("%+v: %v %v", tt.o, from, to)
		}
	}
}
