// The words of Spanish and Portuguese.

package timex

var spanishWords = language{
	langs: spanish,
	groups: []group{
		{kindMonth, 1, "enero"}, {kindMonth, 2, "febrero"}, {kindMonth, 3, "marzo"}, {kindMonth, 4, "abril"}, {kindMonthWeak, 5, "mayo"},
		{kindMonth, 6, "junio"}, {kindMonthWeak, 7, "julio"}, {kindMonth, 8, "agosto"}, {kindMonth, 9, "septiembre setiembre"},
		{kindMonth, 10, "octubre"}, {kindMonth, 11, "noviembre"}, {kindMonth, 12, "diciembre"},
		{kindWeekday, 0, "lunes"}, {kindWeekday, 1, "martes"}, {kindWeekday, 2, "miercoles"}, {kindWeekday, 3, "jueves"},
		{kindWeekday, 4, "viernes"}, {kindWeekday, 5, "sabado"}, {kindWeekday, 6, "domingo"},
		{kindDay, -1, "ayer"}, {kindDay, -2, "anteayer antier"}, {kindEve, -1, "anoche"}, {kindDayWeak, 1, "manana"}, {kindToday, 0, "hoy"},
		{kindUnit, unitDay, "dia"}, {kindUnits, unitDay, "dias"}, {kindUnit, unitWeek, "semana"}, {kindUnits, unitWeek, "semanas"},
		{kindUnit, unitMonth, "mes"}, {kindUnits, unitMonth, "meses"}, {kindUnit, unitYear, "ano"}, {kindUnits, unitYear, "anos"},
		{kindUnit, unitNight, "noche"}, {kindUnits, unitNight, "noches"}, {kindUnit, unitHour, "hora"}, {kindUnits, unitHour, "horas"},
		{kindSeason, 0, "primavera"}, {kindSeason, 1, "verano"}, {kindSeason, 2, "otono"}, {kindSeason, 3, "invierno"},
		{kindNumber, 1, "un uno una"}, {kindNumber, 2, "dos"}, {kindNumber, 3, "tres unos unas algunos algunas pocos pocas"},
		{kindNumber, 4, "cuatro"}, {kindNumber, 5, "cinco"}, {kindNumber, 6, "seis"}, {kindNumber, 7, "siete"}, {kindNumber, 8, "ocho"},
		{kindNumber, 9, "nueve"}, {kindNumber, 10, "diez"}, {kindNumber, 12, "doce"}, {kindNumber, 15, "quince"}, {kindCouple, 2, "par"},
		{kindLast, 1, "pasado pasada"}, {kindNext, 1, "proximo proxima"}, {kindNext, 2, "viene"}, {kindThis, 0, "este esta"},
		{kindAgoFirst, 0, "hace"}, {kindAgoWeak, 0, "atras"}, {kindRecently, 0, "recientemente"}, {kindIn, 1, "en"},
		{kindBefore, 0, "antes"}, {kindAfter, 0, "despues"}, {kindFor, 0, "durante"}, {kindFrom, 0, "desde"}, {kindTo, 1, "hasta"},
		{kindBetween, 0, "entre"}, {kindAnd, 0, "y"}, {kindOf, 1, "de del"}, {kindOn, 0, "el"}, {kindThe, 0, "la"}, {kindHoliday, 1224, "navidad"},
	},
	phrases: []phrases{
		{senseAsks | senseOpens, "cuando"}, {senseAsks | senseAccent, "cuando"},
		{senseAsks, "desde cuando|cuanto tiempo|que dia|que fecha|que mes|que ano|que hora|cual fecha|cuantos dias|cuantos meses|" +
			"cuantos anos|cuantas semanas"},
		{senseCurrent, "ahora|actualmente|en este momento|hoy en dia|todavia|mas reciente|hoy dia"},
		{senseCurrent | senseAccent, "aun"}, {senseCurrent | senseWeak, "actual|actuales"},
		{sensePast, "anteriormente|originalmente|al principio|en aquel entonces|en aquella epoca|antes|solia|solias|solian|soliamos|previamente"},
	},
	hints: "el la los las y es yo que de un una en por para con no me mi fue se lo su del al como donde quien ya pero muy ella esta hay tu te " +
		"le nos estoy son era fin dentro cada",
}

var portugueseWords = language{
	langs: portuguese,
	groups: []group{
		{kindMonth, 1, "janeiro"}, {kindMonth, 2, "fevereiro"}, {kindMonthWeak, 3, "marco"}, {kindMonth, 4, "abril"}, {kindMonth, 5, "maio"},
		{kindMonth, 6, "junho"}, {kindMonth, 7, "julho"}, {kindMonth, 8, "agosto"}, {kindMonth, 9, "setembro"}, {kindMonth, 10, "outubro"},
		{kindMonth, 11, "novembro"}, {kindMonth, 12, "dezembro"},
		{kindWeekdayWeak, 0, "segunda"}, {kindWeekdayWeak, 1, "terca"}, {kindWeekdayWeak, 2, "quarta"}, {kindWeekdayWeak, 3, "quinta"},
		{kindWeekdayWeak, 4, "sexta"}, {kindWeekday, 5, "sabado"}, {kindWeekday, 6, "domingo"}, {kindFeira, 0, "feira"},
		{kindDay, -1, "ontem"}, {kindDay, -2, "anteontem"}, {kindDay, 1, "amanha"}, {kindToday, 0, "hoje"},
		{kindUnit, unitDay, "dia"}, {kindUnits, unitDay, "dias"}, {kindUnit, unitWeek, "semana"}, {kindUnits, unitWeek, "semanas"},
		{kindUnit, unitMonth, "mes"}, {kindUnits, unitMonth, "meses"}, {kindUnit, unitYear, "ano"}, {kindUnits, unitYear, "anos"},
		{kindUnit, unitNight, "noite"}, {kindUnits, unitNight, "noites"}, {kindUnit, unitHour, "hora"}, {kindUnits, unitHour, "horas"},
		{kindSeason, 0, "primavera"}, {kindSeason, 1, "verao"}, {kindSeason, 2, "outono"}, {kindSeason, 3, "inverno"},
		{kindNumber, 1, "um uma"}, {kindNumber, 2, "dois duas"}, {kindNumber, 3, "tres uns umas alguns algumas poucos poucas"},
		{kindNumber, 4, "quatro"}, {kindNumber, 5, "cinco"}, {kindNumber, 6, "seis"}, {kindNumber, 7, "sete"}, {kindNumber, 8, "oito"},
		{kindNumber, 9, "nove"}, {kindNumber, 10, "dez"}, {kindNumber, 11, "onze"}, {kindNumber, 12, "doze"}, {kindNumber, 15, "quinze"},
		{kindCouple, 2, "par"},
		{kindLast, 1, "passado passada"}, {kindNext, 1, "proximo proxima"}, {kindNext, 2, "vem"}, {kindThis, 0, "este esta neste nesta"},
		{kindAgoFirst, 1, "ha"}, {kindAgoFirst, 0, "faz"}, {kindAgoWeak, 0, "atras"}, {kindRecently, 0, "recentemente"},
		{kindIn, 1, "em"}, {kindBefore, 0, "antes"}, {kindAfter, 0, "depois"}, {kindFor, 0, "durante"}, {kindFrom, 0, "desde"},
		{kindTo, 1, "ate"}, {kindBetween, 0, "entre"}, {kindAnd, 0, "e"}, {kindOf, 1, "de"}, {kindHoliday, 1224, "natal"},
	},
	phrases: []phrases{
		{senseAsks | senseOpens, "quando"},
		{senseAsks, "desde quando|quanto tempo|que dia|qual dia|que data|qual data|que mes|qual mes|que ano|qual ano|que horas|que hora|" +
			"quantos dias|quantos meses|quantos anos|quantas semanas"},
		{senseCurrent, "agora|atualmente|no momento|neste momento|hoje em dia|ainda|mais recente"},
		{senseCurrent | senseWeak, "atual|atuais|actual"},
		{sensePast, "anteriormente|originalmente|no inicio|antes|naquela epoca|naquele tempo|costumava|costumavam|previamente"},
	},
	hints: "o a os as e eu que de um uma em por para com nao me meu minha foi do da no na ele ela se mais mas como onde quem esta voce ao " +
		"dos das isso ja tem fim dentro daqui",
}
