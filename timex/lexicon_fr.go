// The words of French and Italian.

package timex

var frenchWords = language{
	langs: french,
	groups: []group{
		{kindMonth, 1, "janvier"}, {kindMonth, 2, "fevrier"}, {kindMonthWeak, 3, "mars"}, {kindMonth, 4, "avril"}, {kindMonthWeak, 5, "mai"},
		{kindMonth, 6, "juin"}, {kindMonth, 7, "juillet"}, {kindMonth, 8, "aout"}, {kindMonth, 9, "septembre"}, {kindMonth, 10, "octobre"},
		{kindMonth, 11, "novembre"}, {kindMonth, 12, "decembre"},
		{kindWeekday, 0, "lundi"}, {kindWeekday, 1, "mardi"}, {kindWeekday, 2, "mercredi"}, {kindWeekday, 3, "jeudi"},
		{kindWeekday, 4, "vendredi"}, {kindWeekday, 5, "samedi"}, {kindWeekday, 6, "dimanche"},
		{kindDayWeak, -1, "hier"}, {kindDay, 1, "demain"}, {kindToday, 0, "hui"},
		{kindUnit, unitDay, "jour"}, {kindUnits, unitDay, "jours"}, {kindUnit, unitWeek, "semaine"}, {kindUnits, unitWeek, "semaines"},
		{kindUnit, unitMonth, "mois"}, {kindUnit, unitYear, "annee"}, {kindUnits, unitYear, "ans annees"},
		{kindUnit, unitNight, "nuit"}, {kindUnits, unitNight, "nuits"}, {kindUnit, unitWeekend, "weekend"},
		{kindUnits, unitWeekend, "weekends"}, {kindUnit, unitHour, "heure"}, {kindUnits, unitHour, "heures"},
		{kindSeason, 0, "printemps"}, {kindSeason, 2, "automne"}, {kindSeason, 3, "hiver"},
		{kindNumber, 1, "un une"}, {kindNumber, 2, "deux"}, {kindNumber, 3, "trois quelques"}, {kindNumber, 4, "quatre"},
		{kindNumber, 5, "cinq"}, {kindNumber, 6, "six"}, {kindNumber, 8, "huit"}, {kindNumber, 9, "neuf"}, {kindNumber, 10, "dix"},
		{kindNumber, 11, "onze"}, {kindNumber, 12, "douze"}, {kindNumber, 15, "quinze"},
		{kindLast, 1, "dernier derniere passe passee"}, {kindNext, 1, "prochain prochaine"}, {kindThis, 0, "cette ce cet"},
		{kindSince, 0, "depuis"}, {kindRecently, 0, "recemment"}, {kindInFirst, 0, "dans"}, {kindIn, 1, "en"}, {kindBefore, 0, "avant"},
		{kindAfter, 0, "apres"}, {kindFor, 0, "pendant"}, {kindBetween, 0, "entre"}, {kindAnd, 0, "et"}, {kindOf, 1, "de"},
		{kindOn, 0, "le"}, {kindThe, 0, "la l"}, {kindHoliday, 1224, "noel"},
	},
	phrases: []phrases{
		{senseAsks | senseOpens, "quand"},
		{senseAsks, "depuis quand|c est quand|quand est ce|combien de temps|quel jour|quelle date|quel mois|quelle annee|quelle heure|" +
			"combien de jours|combien de semaines|combien de mois|combien d annees|combien d ans"},
		{senseCurrent, "maintenant|actuellement|actuel|actuelle|actuels|actuelles|en ce moment|de nos jours|a present|plus recent|" +
			"plus recente|desormais"},
		{sensePast, "autrefois|auparavant|avant|a l epoque|jadis|initialement|au debut|precedemment|a l origine"},
	},
	hints: "le la les et est je tu il nous vous des du un une dans pour pas que qui ai sur avec ce cette elle mon ma en au ou son sa j l d " +
		"c s n a ete de suis etait avons avez sont fait y",
}

var italianWords = language{
	langs: italian,
	groups: []group{
		{kindMonth, 1, "gennaio"}, {kindMonth, 2, "febbraio"}, {kindMonth, 3, "marzo"}, {kindMonth, 4, "aprile"}, {kindMonth, 5, "maggio"},
		{kindMonth, 6, "giugno"}, {kindMonth, 7, "luglio"}, {kindMonth, 8, "agosto"}, {kindMonth, 9, "settembre"},
		{kindMonth, 10, "ottobre"}, {kindMonth, 11, "novembre"}, {kindMonth, 12, "dicembre"},
		{kindWeekday, 0, "lunedi"}, {kindWeekday, 1, "martedi"}, {kindWeekday, 2, "mercoledi"}, {kindWeekday, 3, "giovedi"},
		{kindWeekday, 4, "venerdi"}, {kindWeekday, 5, "sabato"}, {kindWeekday, 6, "domenica"},
		{kindDay, -1, "ieri"}, {kindDay, -2, "altroieri avantieri"}, {kindDay, 1, "domani"}, {kindDay, 2, "dopodomani"}, {kindToday, 0, "oggi"},
		{kindUnit, unitDay, "giorno"}, {kindUnits, unitDay, "giorni"}, {kindUnit, unitWeek, "settimana"}, {kindUnits, unitWeek, "settimane"},
		{kindUnit, unitMonth, "mese"}, {kindUnits, unitMonth, "mesi"}, {kindUnit, unitYear, "anno"}, {kindUnits, unitYear, "anni"},
		{kindUnit, unitNight, "notte"}, {kindUnits, unitNight, "notti"}, {kindUnit, unitWeekend, "weekend"}, {kindUnits, unitHour, "ore"},
		{kindSeason, 0, "primavera"}, {kindSeason, 1, "estate"}, {kindSeason, 2, "autunno"}, {kindSeason, 3, "inverno"},
		{kindNumber, 1, "un uno una"}, {kindNumber, 2, "due"}, {kindNumber, 3, "tre qualche alcuni alcune pochi poche"},
		{kindNumber, 4, "quattro"}, {kindNumber, 5, "cinque"}, {kindNumber, 6, "sei"}, {kindNumber, 7, "sette"}, {kindNumber, 8, "otto"},
		{kindNumber, 9, "nove"}, {kindNumber, 10, "dieci"}, {kindNumber, 11, "undici"}, {kindNumber, 12, "dodici"}, {kindCouple, 2, "paio"},
		{kindLast, 1, "scorso scorsa passato passata"}, {kindNext, 1, "prossimo prossima"}, {kindThis, 0, "questo questa"},
		{kindAgoWeak, 0, "fa"}, {kindRecently, 0, "recentemente"}, {kindInFirst, 0, "tra fra"}, {kindIn, 1, "in nel"},
		{kindBefore, 0, "prima"}, {kindAfter, 0, "dopo"}, {kindOf, 1, "di del"}, {kindOn, 0, "il"},
		{kindThe, 0, "la lo l"}, {kindHoliday, 1224, "natale"},
		{kindAnd, 0, "e"},
	},
	phrases: []phrases{
		{senseAsks | senseOpens, "quando"},
		{senseAsks, "da quando|quanto tempo|che giorno|quale giorno|che data|quale data|che mese|quale mese|che anno|quale anno|che ora|" +
			"quanti giorni|quanti mesi|quanti anni|quante settimane"},
		{senseCurrent, "adesso|attualmente|attuale|attuali|al momento|in questo momento|oggigiorno|piu recente|al giorno d oggi"},
		{senseCurrent | senseWeak, "ora"},
		{sensePast, "in precedenza|precedentemente|originariamente|all inizio|un tempo|in passato"},
		{sensePast | senseWeak, "prima"},
	},
	hints: "il lo la gli e di che un una per non con sono ho mi nel della del dei alle si ha mia mio dove cosa chi come al i le ci quando era altro",
}
