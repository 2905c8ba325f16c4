// The words of English.

package timex

var englishWords = language{
	langs: english,
	groups: []group{
		{kindMonth, 1, "january"}, {kindMonth, 2, "february"}, {kindMonth, 3, "march"}, {kindMonth, 4, "april"},
		{kindMonth, 6, "june"}, {kindMonth, 7, "july"}, {kindMonth, 8, "august"}, {kindMonth, 9, "september"},
		{kindMonth, 10, "october"}, {kindMonth, 11, "november"}, {kindMonth, 12, "december"},
		{kindMonthWeak, 5, "may"}, {kindMonthWeak, 1, "jan"}, {kindMonthWeak, 2, "feb"}, {kindMonthWeak, 3, "mar"},
		{kindMonthWeak, 4, "apr"}, {kindMonthWeak, 6, "jun"}, {kindMonthWeak, 7, "jul"}, {kindMonthWeak, 8, "aug"},
		{kindMonthWeak, 9, "sep sept"}, {kindMonthWeak, 10, "oct"}, {kindMonthWeak, 11, "nov"}, {kindMonthWeak, 12, "dec"},
		{kindWeekday, 0, "monday"}, {kindWeekday, 1, "tuesday"}, {kindWeekday, 2, "wednesday"}, {kindWeekday, 3, "thursday"},
		{kindWeekday, 4, "friday"}, {kindWeekday, 5, "saturday"}, {kindWeekday, 6, "sunday"},
		{kindWeekdayWeak, 0, "mon"}, {kindWeekdayWeak, 1, "tue tues"}, {kindWeekdayWeak, 2, "wed"},
		{kindWeekdayWeak, 3, "thu thur thurs"}, {kindWeekdayWeak, 4, "fri"}, {kindWeekdayWeak, 5, "sat"}, {kindWeekdayWeak, 6, "sun"},
		{kindDay, -1, "yesterday"}, {kindDay, 1, "tomorrow"}, {kindToday, 0, "today tonight"},
		{kindUnit, unitDay, "day"}, {kindUnits, unitDay, "days"}, {kindUnit, unitWeek, "week"}, {kindUnits, unitWeek, "weeks"},
		{kindUnit, unitMonth, "month"}, {kindUnits, unitMonth, "months"}, {kindUnit, unitYear, "year"}, {kindUnits, unitYear, "years"},
		{kindUnit, unitNight, "night"}, {kindUnits, unitNight, "nights"}, {kindUnit, unitHour, "hour"}, {kindUnits, unitHour, "hours"},
		{kindUnit, unitWeekend, "weekend"}, {kindUnits, unitWeekend, "weekends"},
		{kindSeason, 0, "spring"}, {kindSeason, 1, "summer"}, {kindSeason, 2, "fall autumn"}, {kindSeason, 3, "winter"},
		{kindNumber, 1, "a an one"}, {kindNumber, 2, "two"}, {kindNumber, 3, "three"}, {kindNumber, 4, "four"},
		{kindNumber, 5, "five"}, {kindNumber, 6, "six"}, {kindNumber, 7, "seven"}, {kindNumber, 8, "eight"}, {kindNumber, 9, "nine"},
		{kindNumber, 10, "ten"}, {kindNumber, 11, "eleven"}, {kindNumber, 12, "twelve"}, {kindNumber, 15, "fifteen"},
		{kindNumber, 20, "twenty"}, {kindNumber, 30, "thirty"}, {kindNumber, 40, "forty"}, {kindNumber, 50, "fifty"},
		{kindNumber, 60, "sixty"}, {kindNumber, 70, "seventy"}, {kindNumber, 80, "eighty"}, {kindNumber, 90, "ninety"},
		{kindCouple, 2, "couple"}, {kindCouple, 3, "few"},
		{kindLast, 0, "last"}, {kindNext, 0, "next"}, {kindThis, 0, "this"}, {kindAgo, 0, "ago"}, {kindSince, 0, "since"},
		{kindRecently, 0, "recently"}, {kindBefore, 0, "before"}, {kindAfter, 0, "after"}, {kindIn, 0, "in"}, {kindOn, 0, "on"},
		{kindFor, 0, "for"}, {kindFrom, 0, "from"}, {kindTo, 0, "to"}, {kindTo, 1, "until till"}, {kindBetween, 0, "between"}, {kindAnd, 0, "and"},
		{kindOf, 0, "of"}, {kindThe, 0, "the"}, {kindOther, 0, "other"}, {kindNow, 0, "now"},
		{kindAround, 0, "early late mid"}, {kindEnd, 0, "end"},
		{kindLast, 3, "past"}, {kindFor, 1, "during"}, {kindHoliday, 1224, "christmas xmas"}, {kindHoliday, 1031, "halloween"},
		{kindHoliday, 214, "valentine valentines"},
		{kindDone, 0, "was were had did done went got made took came ran read wrote learned learnt finished lost gained saw " +
			"completed built grew reached sold managed first best worst once only most least " +
			"haven hasn hadn didn never not"},
	},
	phrases: []phrases{
		{senseAsks | senseOpens, "when"},
		{senseAsks, "how long|what date|what day|what month|what year|what time|which date|which day|which month|which year|which time|" +
			"how many days|how many weeks|how many months|how many years|since when|until when"},
		{senseCurrent, "now|currently|nowadays|presently|these days|at the moment|at this moment|at present|as of today|as of now|latest|" +
			"newest|most recent|most recently|still|current|today s|anymore|any longer|up to date"},
		{sensePast, "used to|use to|previously|formerly|originally|initially|at first|back then|in those days|at the time|earlier|" +
			"prior to|former|in the past|back when|back in|in the beginning|before"},
	},
	hints: "long it am been being get gets getting m re then again by just even or that at is are through flow flows flowing flowed stand stands stood standing sit sitting hold " +
		"holding keep kept stay stayed lie lay life lifes water waters image images frame frames camera photo photos born electric " +
		"electrical ocean alternating direct eddy air sea under density transformer limiter sensor probe clamp " +
		"the and of to is was i you we my it that in she he they what did does do has her his with for this not have are be on but",
}
