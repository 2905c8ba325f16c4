// Tables of resolved dates.

package timex

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// monday is a Monday, 8 May 2023.
func monday() time.Time { return time.Date(2023, 5, 8, 22, 30, 0, 0, time.UTC) }

// resolution is one line of a table of texts said on 8 May 2023.
type resolution struct {
	text, want string // the dates parted by "; "
}

func checkResolutions(t *testing.T, table []resolution) {
	t.Helper()
	for _, tt := range table {
		if got := strings.Join(Resolve(nil, tt.text, monday()), "; "); got != tt.want {
			t.Errorf("Resolve(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestResolveEnglish(t *testing.T) {
	checkResolutions(t, []resolution{
		{"I met her yesterday.", "7 May 2023"}, {"last night we danced", "7 May 2023"}, {"See you tomorrow!", "9 May 2023"},
		{"today, tonight, this morning", ""}, {"the day before yesterday", "6 May 2023"}, {"the day after tomorrow", "10 May 2023"},
		{"the day before, yesterday", "7 May 2023"},
		{"last Monday", "1 May 2023"}, {"last tues", "2 May 2023"}, {"last Sunday", "7 May 2023"}, {"next Monday", "15 May 2023"},
		{"next Wed", "10 May 2023"}, {"on Monday", ""}, {"a weekend trip", "6 May 2023"}, {"next weekend", ""},
		{"last week", "1 May 2023"}, {"the past week", ""}, {"next week", "15 May 2023"}, {"the next week he left", ""}, {"the last week of June", ""},
		{"last month", "April 2023"}, {"next month", "June 2023"}, {"last year", "2022"}, {"next year", "2024"},
		{"two days ago", "6 May 2023"}, {"a week ago", "1 May 2023"}, {"five months ago", "December 2022"}, {"ten years ago", "2013"},
		{"a few days ago", "5 May 2023"}, {"a couple of weeks ago", "24 April 2023"}, {"a couple weeks ago", "24 April 2023"},
		{"200 days ago", "20 October 2022"}, {"201 days ago", ""}, {"99999999999999999999 days ago", ""},
		{"twenty-two days ago", "16 April 2023"}, {"three nights ago", "5 May 2023"}, {"two weekends ago", "29 April 2023"},
		{"in two weeks", "22 May 2023"}, {"The exam is in a few days.", "11 May 2023"}, {"in 3 months", "August 2023"},
		{"He learned it in two weeks", ""}, {"the best in two years", ""}, {"We haven't talked in a few days", ""},
		{"He finished. It starts in two weeks", "22 May 2023"}, {"two weeks from now", "22 May 2023"}, {"a month from today", "June 2023"},
		{"yesterday, YESTERDAY and Tomorrow", "7 May 2023; 9 May 2023"},
		{"YESTERDAY’S", "7 May 2023"}, {"xyesterday yesterdayx yesterday_ éyesterday", ""}, {"last-week", ""}, {"in a week of rain", ""}, {"last\u00a0week", "1 May 2023"}, {"«yesterday»…", "7 May 2023"},
		{"yésterdäy", "7 May 2023"}, {"œuvre ÿ ı æ ß þ yesterday", "7 May 2023"}, {"pneumonoultramicroscopicsilicovolcanoconiosisé", ""}, {"2023–05–07", ""},
		{"last‑week", ""}, {"Ёж yesterdayЁ", ""}, {"", ""},
	})
}

func TestResolveAppends(t *testing.T) {
	got := Resolve([]string{"7 May 2023"}, "yesterday", monday())
	if want := []string{"7 May 2023", "7 May 2023"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// The day is that of the time's own location, and daylight saving moves nothing.
func TestLocations(t *testing.T) {
	east := time.FixedZone("east", 14*3600)
	at := time.Date(2023, 5, 8, 22, 30, 0, 0, time.UTC).In(east)
	if got := Own(at); got != "9 May 2023" {
		t.Errorf("Own = %q", got)
	}
	if got := Resolve(nil, "yesterday", at); got[0] != "8 May 2023" {
		t.Errorf("yesterday = %q", got)
	}
}

func TestYears(t *testing.T) {
	const all = "yesterday last week, last month, last year, tomorrow next month next year"
	for _, year := range []int{1, 9999} {
		for _, month := range []time.Month{1, 12} {
			for _, date := range Resolve(nil, all, time.Date(year, month, 1+30*int(month/12), 0, 0, 0, 0, time.UTC)) {
				if strings.HasSuffix(date, " 0") || date == "0" || strings.HasSuffix(date, "10000") {
					t.Errorf("%d-%d: %q", year, month, date)
				}
			}
		}
	}
	for _, year := range []int{-5, 0, 10000, 250000} {
		at := time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC)
		if own, dates := Own(at), Resolve(nil, all, at); own != "" || len(dates) > 0 {
			t.Errorf("year %d: %q %q", year, own, dates)
		}
	}
}

func TestOwn(t *testing.T) {
	if got := Own(monday()); got != "8 May 2023" {
		t.Errorf("%q", got)
	}
	if got := Own(time.Date(99, 12, 31, 0, 0, 0, 0, time.UTC)); got != "31 December 99" {
		t.Errorf("%q", got)
	}
}

func TestResolveBound(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		text.WriteString(" " + strings.Repeat("1", 1+i%2) + string(rune('0'+i%10)) + " days ago, 1" + string(rune('0'+i%10)) + " weeks ago ")
		text.WriteString("1" + string(rune('0'+i%10)) + " months ago 1" + string(rune('0'+i%10)) + " years ago")
	}
	got := Resolve(nil, text.String(), monday())
	if len(got) > maxResolved {
		t.Errorf("%d dates", len(got))
	}
	slices.Sort(got)
	if len(slices.Compact(got)) != len(got) {
		t.Errorf("a date comes twice")
	}
}
