// How texts and questions are read.

package timex_test

import (
	"fmt"
	"time"

	"github.com/contextforge-go/contextforge/timex"
)

func said() time.Time { return time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC) }

func ExampleOwn() {
	fmt.Println(timex.Own(said()))
	// Output: 8 May 2023
}

func ExampleResolve() {
	for _, text := range []string{"I went there yesterday, not last Friday.", "Wir waren vor zwei Wochen am See.", "2023年5月7日"} {
		fmt.Printf("%q\n", timex.Resolve(nil, text, said()))
	}
	// Output:
	// ["7 May 2023" "5 May 2023"]
	// ["24 April 2023"]
	// ["7 May 2023 5月"]
}

func ExampleMentions() {
	fmt.Println(timex.Mentions("We met two years ago."), timex.Mentions("You may be right."))
	// Output: true false
}

func ExampleAsks() {
	fmt.Println(timex.Asks("When did she move?"), timex.Asks("¿Cuánto tiempo duró?"), timex.Asks("Where does she live?"))
	// Output: true true false
}

func ExampleCurrent() {
	fmt.Println(timex.Current("Where does she live now?"), timex.Current("Who painted the still life?"))
	// Output: true false
}

func ExamplePast() {
	fmt.Println(timex.Past("Where did she use to live?"), timex.Past("What is it used to make?"))
	// Output: true false
}

func ExampleInterval() {
	for _, query := range []string{"What did I do last week?", "between March and May 2022", "before the trip"} {
		from, to, ok := timex.Interval(query, said())
		fmt.Println(from.Format(time.DateOnly), to.Format(time.DateOnly), ok)
	}
	// Output:
	// 2023-05-01 2023-05-08 true
	// 2022-03-01 2022-06-01 true
	// 0001-01-01 0001-01-01 false
}

func ExampleAnchor() {
	offset, event, ok := timex.Anchor("What did she buy three weeks before the trip to Rome?")
	fmt.Println(offset.Side, offset.N, offset.Unit == timex.Week, event, ok)
	// Output: -1 3 true the trip to Rome true
}

func ExampleOffset_From() {
	offset := timex.Offset{Side: -1, N: 2, Unit: timex.Day}
	from, to := offset.From(said())
	fmt.Println(from.Format(time.DateOnly), to.Format(time.DateOnly))
	// Output: 2023-05-06 2023-05-07
}
