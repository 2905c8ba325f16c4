// The words of German and Dutch.

package timex

var germanWords = language{
	langs: german,
	groups: []group{
		{kindMonth, 1, "januar jaenner janner"}, {kindMonth, 2, "februar"}, {kindMonth, 3, "marz maerz"}, {kindMonth, 4, "april"},
		{kindMonthWeak, 5, "mai"}, {kindMonth, 6, "juni"}, {kindMonth, 7, "juli"}, {kindMonth, 8, "august"}, {kindMonth, 9, "september"},
		{kindMonth, 10, "oktober"}, {kindMonth, 11, "november"}, {kindMonth, 12, "dezember"},
		{kindWeekday, 0, "montag"}, {kindWeekday, 1, "dienstag"}, {kindWeekday, 2, "mittwoch"}, {kindWeekday, 3, "donnerstag"},
		{kindWeekday, 4, "freitag"}, {kindWeekday, 5, "samstag sonnabend"}, {kindWeekday, 6, "sonntag"},
		{kindDay, -1, "gestern"}, {kindDay, -2, "vorgestern"}, {kindDay, 2, "ubermorgen uebermorgen"}, {kindDayWeak, 1, "morgen"},
		{kindToday, 0, "heute"},
		{kindUnit, unitDay, "tag tage"}, {kindUnits, unitDay, "tagen"}, {kindUnit, unitWeek, "woche"}, {kindUnits, unitWeek, "wochen"},
		{kindUnit, unitMonth, "monat monats"}, {kindUnits, unitMonth, "monate monaten"}, {kindUnit, unitYear, "jahr jahres"},
		{kindUnits, unitYear, "jahre jahren"}, {kindUnit, unitNight, "nacht"}, {kindUnits, unitNight, "nachten naechten"},
		{kindUnit, unitWeekend, "wochenende"}, {kindUnits, unitWeekend, "wochenenden"}, {kindUnit, unitHour, "stunde"},
		{kindUnits, unitHour, "stunden"},
		{kindSeason, 0, "fruhling fruehling fruhjahr"}, {kindSeason, 1, "sommer"}, {kindSeason, 2, "herbst"}, {kindSeason, 3, "winter"},
		{kindNumber, 1, "ein eine einem einen einer eines"}, {kindNumber, 2, "zwei"}, {kindNumber, 3, "drei einigen einige wenigen"},
		{kindNumber, 4, "vier"}, {kindNumber, 5, "funf fuenf"}, {kindNumber, 6, "sechs"}, {kindNumber, 7, "sieben"},
		{kindNumber, 8, "acht"}, {kindNumber, 9, "neun"}, {kindNumber, 10, "zehn"}, {kindNumber, 11, "elf"}, {kindNumber, 12, "zwolf zwoelf"},
		{kindCouple, 3, "paar"},
		{kindLast, 0, "letzte letzten letzter letztes letztem vorige vorigen voriger voriges vorigem vergangene vergangenen vergangener " +
			"vergangenes vergangenem"},
		{kindNext, 0, "nachste nachsten nachster nachstes nachstem naechste naechsten naechster naechstes naechstem kommende kommenden " +
			"kommender kommendes kommendem"},
		{kindThis, 0, "diese diesen dieser dieses diesem"}, {kindAgoFirst, 0, "vor"}, {kindSince, 0, "seit"},
		{kindRecently, 0, "kurzlich kuerzlich neulich"}, {kindAfter, 0, "nach"}, {kindIn, 0, "in"}, {kindIn, 1, "im"}, {kindOn, 0, "am"},
		{kindFor, 0, "fur fuer"}, {kindFrom, 0, "von"}, {kindTo, 1, "bis"}, {kindBetween, 0, "zwischen"}, {kindAnd, 0, "und"},
		{kindHoliday, 1224, "weihnachten"}, {kindDone, 0, "habe hat haben hatte hatten wurde wurden war waren"},
	},
	phrases: []phrases{
		{senseAsks, "wann|wie lange|wie lang|welcher tag|welchem tag|welchen tag|welches datum|welchem datum|welches jahr|welchem jahr|" +
			"welcher monat|welchem monat|welchen monat|wie viel uhr|wieviel uhr|wie viele tage|wie viele wochen|wie viele monate|" +
			"wie viele jahre|wieviele tage|wieviele wochen|wieviele monate|wieviele jahre"},
		{senseCurrent, "jetzt|aktuell|aktuelle|aktueller|aktuellen|aktuelles|derzeit|derzeitige|derzeitigen|derzeitiger|derzeitiges|" +
			"momentan|gegenwartig|gegenwartige|zurzeit|zur zeit|im moment|heutzutage|immer noch|noch immer|neueste|neuesten|neuester|neuestes"},
		{sensePast, "fruher|frueher|damals|vorher|zuvor|ursprunglich|urspruenglich|anfangs|am anfang|ehemals|ehemalige|ehemaligen|" +
			"ehemaliger|einst"},
	},
	hints: "der die das und ist nicht ich wir ein eine mit auf fur von zu war hat habe bin sind den dem im am auch es sie er was wo wer " +
		"mein meine sich aber noch wie dass guten jeden diesen einen heute gestern",
}

var dutchWords = language{
	langs: dutch,
	groups: []group{
		{kindMonth, 1, "januari"}, {kindMonth, 2, "februari"}, {kindMonth, 3, "maart"}, {kindMonth, 4, "april"}, {kindMonthWeak, 5, "mei"},
		{kindMonth, 6, "juni"}, {kindMonth, 7, "juli"}, {kindMonth, 8, "augustus"}, {kindMonth, 9, "september"},
		{kindMonth, 10, "oktober"}, {kindMonth, 11, "november"}, {kindMonth, 12, "december"},
		{kindWeekday, 0, "maandag"}, {kindWeekday, 1, "dinsdag"}, {kindWeekday, 2, "woensdag"}, {kindWeekday, 3, "donderdag"},
		{kindWeekday, 4, "vrijdag"}, {kindWeekday, 5, "zaterdag"}, {kindWeekday, 6, "zondag"},
		{kindDay, -1, "gisteren"}, {kindDay, -2, "eergisteren"}, {kindDay, 2, "overmorgen"}, {kindDayWeak, 1, "morgen"},
		{kindEve, -1, "gisteravond"}, {kindToday, 0, "vandaag vanavond"},
		{kindUnit, unitDay, "dag"}, {kindUnits, unitDay, "dagen"}, {kindUnit, unitWeek, "week"}, {kindUnits, unitWeek, "weken"},
		{kindUnit, unitMonth, "maand"}, {kindUnits, unitMonth, "maanden"}, {kindUnit, unitYear, "jaar"}, {kindUnits, unitYear, "jaren"},
		{kindUnit, unitNight, "nacht"}, {kindUnits, unitNight, "nachten"}, {kindUnit, unitWeekend, "weekend"},
		{kindUnits, unitWeekend, "weekenden"}, {kindUnit, unitHour, "uur"}, {kindUnits, unitHour, "uren"},
		{kindSeason, 0, "lente voorjaar"}, {kindSeason, 1, "zomer"}, {kindSeason, 2, "herfst najaar"}, {kindSeason, 3, "winter"},
		{kindNumber, 1, "een"}, {kindNumber, 2, "twee"}, {kindNumber, 3, "drie enkele"}, {kindNumber, 4, "vier"}, {kindNumber, 5, "vijf"},
		{kindNumber, 6, "zes"}, {kindNumber, 7, "zeven"}, {kindNumber, 8, "acht"}, {kindNumber, 9, "negen"}, {kindNumber, 10, "tien"},
		{kindNumber, 11, "elf"}, {kindNumber, 12, "twaalf"}, {kindCouple, 3, "paar"},
		{kindLast, 0, "vorige vorig afgelopen verleden"}, {kindNext, 0, "volgende komende"}, {kindThis, 0, "deze dit"}, {kindAgo, 0, "geleden"},
		{kindSince, 0, "sinds"}, {kindRecently, 0, "onlangs"}, {kindAfter, 0, "na"}, {kindIn, 1, "in"}, {kindInFirst, 0, "over"},
		{kindOn, 0, "op"}, {kindBefore, 0, "voor"}, {kindFrom, 0, "van"}, {kindTo, 1, "tot"}, {kindBetween, 0, "tussen"}, {kindAnd, 0, "en"}, {kindHoliday, 1224, "kerst kerstmis"},
	},
	phrases: []phrases{
		{senseAsks | senseOpens, "wanneer"},
		{senseAsks, "sinds wanneer|hoe lang|hoelang|welke datum|welke dag|welke maand|welk jaar|hoe laat|hoeveel dagen|hoeveel weken|" +
			"hoeveel maanden|hoeveel jaar|hoeveel jaren"},
		{senseCurrent, "momenteel|tegenwoordig|op dit moment|huidige|nog steeds|nog altijd|nieuwste|meest recente|actuele"},
		{senseCurrent | senseWeak, "nu"},
		{sensePast, "vroeger|eerder|destijds|oorspronkelijk|in het begin|voorheen|voormalige"},
	},
	hints: "de het een en van ik niet is op te dat die met voor zijn was heb je we ze hij wat wie waar ook maar nog hoe naar mijn goede",
}
