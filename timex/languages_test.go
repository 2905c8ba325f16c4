// Tables of the languages other than English.

package timex

import "testing"

func TestResolveGerman(t *testing.T) {
	checkResolutions(t, []resolution{
		{"Gestern war ich dort", "7 May 2023 Mai"}, {"vorgestern", "6 May 2023 Mai"}, {"übermorgen", "10 May 2023 Mai"},
		{"Ich sehe sie morgen", "9 May 2023 Mai"}, {"Guten Morgen, ich bin da", ""}, {"heute Morgen war ich müde", ""},
		{"Captain Morgan and morgen", ""}, {"gestern Morgen war es kalt", "7 May 2023 Mai"},
		{"vor zwei Wochen", "24 April 2023"}, {"vor einer Woche", "1 May 2023 Mai"}, {"vor ein paar Tagen", "5 May 2023 Mai"},
		{"vor 3 Monaten", "February 2023 Februar"}, {"vor zehn Jahren", "2013"}, {"vor zwei weeks", ""},
		{"letzten Freitag", "5 May 2023 Mai"}, {"nächsten Freitag", "12 May 2023 Mai"}, {"letzte Woche", "1 May 2023 Mai"},
		{"letzten Monat", "April 2023"}, {"nächstes Jahr", "2024"}, {"letzte Nacht", "7 May 2023 Mai"},
		{"am Wochenende", "6 May 2023 Mai"}, {"nächstes Wochenende", ""}, {"in zwei Wochen", "22 May 2023 Mai"},
		{"am 7. Mai 2022", "7 May 2022"}, {"am 7. März", "7 March"}, {"im März 2022", "March 2022"}, {"7.5.2022 war es", "7 May 2022 Mai"},
		{"07.05.2022", "7 May 2022"}, {"am 7. April 2022", ""}, {"im Mai", ""},
	})
}

func TestResolveRomance(t *testing.T) {
	checkResolutions(t, []resolution{
		{"Je suis allé hier au marché", "7 May 2023 mai"}, {"hier", ""}, {"Ich bin hier und das ist gut", ""}, {"avant-hier", "6 May 2023 mai"},
		{"demain", "9 May 2023 mai"}, {"après-demain", "10 May 2023 mai"}, {"il y a trois jours", "5 May 2023 mai"},
		{"y a deux semaines", "24 April 2023 avril"}, {"il y a un an", "2022"}, {"il y a sept ans", "2016"}, {"il y a quelques mois", "February 2023 février"},
		{"la semaine dernière", "1 May 2023 mai"}, {"le mois dernier", "April 2023 avril"}, {"l'année dernière", "2022"},
		{"l’an dernier", "2022"}, {"vendredi dernier", "5 May 2023 mai"}, {"vendredi prochain", "12 May 2023 mai"},
		{"la semaine prochaine", "15 May 2023 mai"}, {"dans deux semaines", "22 May 2023 mai"}, {"le week-end dernier", "6 May 2023 mai"},
		{"le week-end prochain", ""}, {"la nuit dernière", "7 May 2023 mai"}, {"le 7 mai 2022", "7 May 2022"}, {"le 1er août", "1 August"},
		{"en février 2022", "February 2022"},
		{"ayer", "7 May 2023 mayo"}, {"anteayer", "6 May 2023 mayo"}, {"antes de ayer", "6 May 2023 mayo"}, {"anoche", "7 May 2023 mayo"},
		{"lo haré mañana", "9 May 2023 mayo"}, {"por la mañana no me levanto", ""}, {"pasado mañana", "10 May 2023 mayo"},
		{"hace dos semanas", "24 April 2023 abril"}, {"hace un par de días", "6 May 2023 mayo"}, {"dos semanas atrás", "24 April 2023 abril"},
		{"la semana pasada", "1 May 2023 mayo"}, {"el mes pasado", "April 2023 abril"}, {"el año pasado", "2022"},
		{"el viernes pasado", "5 May 2023 mayo"}, {"el próximo mes", "June 2023 junio"}, {"la semana que viene", "15 May 2023 mayo"},
		{"dentro de dos semanas", "22 May 2023 mayo"}, {"el fin de semana pasado", "6 May 2023 mayo"}, {"el 7 de mayo de 2022", "7 May 2022"},
		{"en mayo de 2022", "May 2022"}, {"7 de junio", "7 June"},
		{"ieri", "7 May 2023 maggio"}, {"l'altro ieri", "6 May 2023 maggio"}, {"domani", "9 May 2023 maggio"}, {"dopodomani", "10 May 2023 maggio"},
		{"due settimane fa", "24 April 2023 aprile"}, {"un anno fa", "2022"}, {"un paio di giorni fa", "6 May 2023 maggio"}, {"qualche giorno fa", "5 May 2023 maggio"},
		{"la settimana scorsa", "1 May 2023 maggio"}, {"lo scorso mese", "April 2023 aprile"}, {"venerdì scorso", "5 May 2023 maggio"},
		{"il mese prossimo", "June 2023 giugno"}, {"tra due settimane", "22 May 2023 maggio"}, {"il 7 maggio 2022", "7 May 2022"},
		{"non ho mai 7 gatti", ""}, {"the FA cup", ""},
		{"ontem", "7 May 2023 maio"}, {"anteontem", "6 May 2023 maio"}, {"amanhã", "9 May 2023 maio"}, {"depois de amanhã", "10 May 2023 maio"},
		{"há duas semanas", "24 April 2023 abril"}, {"ha duas semanas", ""}, {"dois meses atrás", "March 2023 março"},
		{"na semana passada", "1 May 2023 maio"}, {"no mês passado", "April 2023 abril"}, {"o ano passado", "2022"},
		{"sexta-feira passada", "5 May 2023 maio"}, {"na sexta passada", "5 May 2023 maio"}, {"no mês que vem", "June 2023 junho"},
		{"daqui a duas semanas", "22 May 2023 maio"}, {"7 de maio de 2022", "7 May 2022"}, {"faz três dias", "5 May 2023 maio"},
	})
}

func TestResolveDutch(t *testing.T) {
	checkResolutions(t, []resolution{
		{"gisteren", "7 May 2023 mei"}, {"eergisteren", "6 May 2023 mei"}, {"Ik kom morgen", "9 May 2023 mei"}, {"overmorgen", "10 May 2023 mei"},
		{"twee weken geleden", "24 April 2023"}, {"een paar dagen geleden", "5 May 2023 mei"}, {"vorige week", "1 May 2023 mei"},
		{"afgelopen vrijdag", "5 May 2023 mei"}, {"volgende maand", "June 2023 juni"}, {"vorig jaar", "2022"}, {"over twee weken", "22 May 2023 mei"},
		{"over two weeks", ""}, {"over 2 week", ""}, {"7 mei 2022", "7 May 2022"}, {"7-5-2022", "7 May 2022"},
	})
}

func TestResolveHan(t *testing.T) {
	checkResolutions(t, []resolution{
		{"我昨天去了", "7 May 2023 5月"}, {"昨日は雨でした", "7 May 2023 5月"}, {"前天", "6 May 2023 5月"}, {"明天见", "9 May 2023 5月"},
		{"三天前", "5 May 2023 5月"}, {"5天前我去", "3 May 2023 5月"}, {"两个星期前", "24 April 2023 4月"}, {"十二天前", "26 April 2023 4月"},
		{"3年前", "2020"}, {"两个月前", "March 2023 3月"}, {"2週間前に", "24 April 2023 4月"}, {"上周", "1 May 2023 5月"}, {"去年", "2022"},
		{"先月", "April 2023 4月"}, {"来年", "2024"}, {"2022年5月7日", "7 May 2022 5月"}, {"2022年5月", "May 2022 5月"}, {"于5月7日", "7 May"},
		{"2022年13月7日", ""}, {"いつも", ""}, {"yesterday昨天", "7 May 2023; 7 May 2023 5月"},
	})
}

func TestResolveDigits(t *testing.T) {
	checkResolutions(t, []resolution{
		{"2022-05-07", "7 May 2022"}, {"on 2022-05-07T10:30:00Z", "7 May 2022"}, {"2022/5/7", "7 May 2022"}, {"2022.05.07", "7 May 2022"},
		{"5/7/2022", "7 May 2022"}, {"25/7/2022", "25 July 2022"}, {"13/13/2022", ""}, {"ich war am 5/7/2022 bei der Bank", "5 July 2022 Juli"},
		{"31.02.2022", ""}, {"29.02.2024", "29 February 2024"}, {"1.2.2022.4", ""}, {"0.1.2.2022", ""}, {"2022-05-07-3", ""},
		{"1.2.202", ""}, {"v1.2.2022", ""}, {"12.5.1850", ""}, {"2022 - 05 - 07", ""}, {"2022-05/07", ""},
	})
}

func TestMentionsLanguages(t *testing.T) {
	checkTruths(t, "Mentions", Mentions, []truth{
		{"in May", true}, {"7 May", true}, {"May 7", true}, {"May 2022", true}, {"may be", false}, {"I may go in", false}, {"the march", true},
		{"le 3 mars", true}, {"en mars", true}, {"Mars is a planet", false}, {"mayo on bread", false}, {"en mayo", true}, {"7th of May", true}, {"May, and", false}, {"7\u00a0May", true}, {"last\u3000week", true}, {"—May", false}, {"dix sept", false},
		{"Marco came", false}, {"em março", true}, {"non ho mai visto", false}, {"im Mai", true}, {"Julio came", false}, {"dec it", false},
		{"Aujourd'hui", true}, {"aujourd’hui", true}, {"Hui Chen", false}, {"heute", true}, {"hoy", true}, {"oggi", true}, {"hoje", true}, {"vandaag", true},
		{"hier", false}, {"je suis venu hier", true}, {"ich bin hier, und du nicht", false}, {"il y a trois jours", true}, {"vor drei Tagen", true},
		{"dans deux semaines", true}, {"la semaine dernière", true}, {"segunda vez", false}, {"segunda-feira", true}, {"na sexta passada", true},
		{"due anni fa", true}, {"fa freddo", false}, {"há dois dias", true}, {"seit Montag", true}, {"depuis", true}, {"5月7日", true}, {"昨天", true},
		{"去年", true}, {"日本", false}, {"this morning", false}, {"over two weeks", false}, {"diese Woche", true}, {"cette semaine", true},
		{"last sun", true}, {"the sun", false}, {"week-end dernier", true}, {"the end", false}, {"a an one", false}, {"次", false},
	})
}

func TestAsksLanguages(t *testing.T) {
	checkTruths(t, "Asks", Asks, []truth{
		{"Wann war sie da?", true}, {"Seit wann", true}, {"wie lange dauert es", true}, {"Wie viele Tage", true}, {"irgendwann", false},
		{"Quand est-elle venue ?", true}, {"Je ris quand il vient", false}, {"Depuis quand", true}, {"combien de temps", true}, {"Quelle année", true},
		{"combien d’années", true}, {"¿Cuándo vino?", true}, {"dime cuándo vino", true}, {"lo vi cuando vino", false}, {"cuánto tiempo", true}, {"¿Qué día fue?", true},
		{"Quando è arrivata?", true}, {"da quando", true}, {"quanti giorni", true}, {"che anno", true}, {"Quando ela veio?", true}, {"quantos dias", true},
		{"Wanneer kwam ze?", true}, {"hoe lang", true}, {"hoeveel weken", true}, {"他什么时候来的", true}, {"いつ来ましたか", true}, {"いつも来ます", false}, {"多久", true},
	})
}

func TestCurrentLanguages(t *testing.T) {
	checkTruths(t, "Current", Current, []truth{
		{"Wo wohnt sie jetzt?", true}, {"immer noch", true}, {"im Moment", true}, {"noch ein Bier", false}, {"Où habite-t-elle maintenant ?", true},
		{"en ce moment", true}, {"son adresse actuelle", true}, {"the actual reason", false}, {"¿Cuál es su trabajo actual?", true}, {"¿Dónde vive ahora?", true},
		{"¿Aún vive allí?", true}, {"aun así", false}, {"Dove abita adesso?", true}, {"dove lavora ora la mia amica", true}, {"Ora", false},
		{"Onde ela mora agora?", true}, {"ainda", true}, {"waar woont ze nu met hem", true}, {"nu metal", false}, {"nog steeds", true},
		{"她现在住在哪里", true}, {"今の仕事", true}, {"最新", true},
	})
}

func TestPast(t *testing.T) {
	checkTruths(t, "Past", Past, []truth{
		{"Where did she use to live?", true}, {"Where she used to live", true}, {"is he used to it", false}, {"a tool is used to cut", false}, {"What is it used to make?", false},
		{"he got used to noise", false}, {"Where did she live before?", true}, {"What did he do before the trip?", false}, {"before that", true}, {"what does he use to cut it", false},
		{"in the beginning of May", false}, {"in the beginning", true}, {"avant le voyage", false}, {"Où vivait-elle avant ?", true}, {"antes de ir", false}, {"before long", false},
		{"the day before yesterday", false}, {"before tomorrow", false}, {"previously", true}, {"what was the plan originally", true}, {"at first", true},
		{"back then", true}, {"in 2019", true}, {"in 2190", false}, {"her former boss", true}, {"Where does she live now?", false}, {"", false},
		{"Wo wohnte sie früher?", true}, {"damals", true}, {"auparavant", true}, {"à l'époque", true}, {"¿Qué hacía antes en casa?", true}, {"solía", true},
		{"cosa faceva prima di venire", false}, {"cosa faceva la mia amica prima?", true}, {"naquela época", true}, {"vroeger", true}, {"以前住在哪里", true}, {"昔", true}, {"im Jahr 2019", false},
	})
}
