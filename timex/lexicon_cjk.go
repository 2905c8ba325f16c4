// The words of Chinese and Japanese; a longer word goes before its beginning.

package timex

var hanWords = language{
	langs: han,
	groups: []group{
		{kindDay, -1, "昨天 昨日 昨儿"}, {kindDay, -2, "前天 一昨日 おととい"}, {kindDay, 1, "明天 明日"}, {kindDay, 2, "后天 後天 明後日 あさって"},
		{kindDay, -1, "きのう"}, {kindEve, -1, "昨晚 昨夜"}, {kindToday, 0, "今天 今日 今晚 今夜 きょう"},
		{kindShift, -unitWeek, "上周 上週 上星期 上个星期 上個星期 上礼拜 先週"}, {kindShift, unitWeek, "下周 下週 下星期 下个星期 下個星期 下礼拜 来週 來週"},
		{kindShift, -unitMonth, "上个月 上個月 上月 先月"}, {kindShift, unitMonth, "下个月 下個月 下月 来月"},
		{kindShift, -unitYear, "去年 昨年"}, {kindShift, unitYear, "明年 来年"},
		{kindNumber, 1, "一"}, {kindNumber, 2, "二 两 兩"}, {kindNumber, 3, "三 几 幾 数"}, {kindNumber, 4, "四"}, {kindNumber, 5, "五"},
		{kindNumber, 6, "六"}, {kindNumber, 7, "七"}, {kindNumber, 8, "八"}, {kindNumber, 9, "九"}, {kindNumber, 10, "十"},
		{kindUnit, unitDay, "天"}, {kindSign, unitDay, "日 号 號"}, {kindUnit, unitWeek, "周 週 星期 个星期 個星期 週間 礼拜"},
		{kindUnit, unitMonth, "个月 個月 か月 ヶ月 カ月 ケ月 箇月"}, {kindSign, unitMonth, "月"}, {kindSign, unitYear, "年"},
		{kindAgoWeak, 0, "前 以前 之前"},
		{kindPeriod, unitYear, "今年"}, {kindPeriod, unitMonth, "今月 本月 这个月 這個月"}, {kindPeriod, unitWeek, "今週 本周 这周 這週 这个星期"},
		{kindRecently, 0, "最近"}, {kindThe, 1, "いつも いつか"},
	},
	phrases: []phrases{
		{senseAsks, "什么时候|什麼時候|何时|何時|いつ|多久|哪天|哪一天|哪年|哪一年|几月|幾月|几号|何年|何月|何日|どのくらい|どれくらい"},
		{senseCurrent, "现在|現在|目前|如今|今の|最新|当前|當前|まだ|仍然|今は"},
		{sensePast, "以前|之前|曾经|曾經|昔|かつて|当时|當時|当初|最初|过去|過去|原来|もともと"},
	},
}
