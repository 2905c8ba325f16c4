// Short texts of our own in many scripts, for tests and benchmarks.

package analyzer

var scriptTexts = []struct{ lang, text string }{
	{"English", "We moved the release to Thursday because Ana's tests were still failing on Windows, and nobody wanted to wait."},
	{"French", "L’équipe a déplacé la réunion à Noël; le café est servi près de la fenêtre, où l'on reçoit les invités."},
	{"German", "Die Straßenbahn fährt über die Brücke, größere Züge müssen außen herum."},
	{"Turkish", "İstanbul'da ışıklar yandı, Isparta'ya gidecek çocuklar bekliyor."},
	{"Vietnamese", "Chúng tôi đã chuyển cuộc họp sang thứ Năm vì kết quả thử nghiệm chưa ổn định."},
	{"Russian", "Вчера мы обсуждали расписание поездов, ёлка стоит у окна, а чай остыл."},
	{"Greek", "Χθες συζητήσαμε το πρόγραμμα της Δευτέρας· ο Οδυσσεύς έλειπε."},
	{"Arabic", "ناقشنا أمس جدول القطارات الجديد، وكَتَبَ المُعلّم ١٢٣ ملاحظة."},
	{"Hebrew", "אתמול דנו בלוח הזמנים של הרכבת, וצה\"ל פרסם בְּרָכָה."},
	{"Hindi", "कल हमने रेलगाड़ी की समय सारणी पर चर्चा की और चाय पी।"},
	{"Thai", "เมื่อวานเราคุยเรื่องตารางรถไฟและน้ำตกไทย"},
	{"Khmer", "ម្សិលមិញយើងបាននិយាយអំពីកាលវិភាគរថភ្លើង"},
	{"Chinese", "上线前我们在部署会议里确认了用户身份验证流程,预算是2024年的。"},
	{"Japanese", "昨日は電車の時刻表について話しました。コンピューターとﾊﾟｿｺﾝとＡＢＣも。"},
	{"Korean", "우리는 어제 도서관에서 책을 읽고 기차 시간표를 확인했다."},
	{"Emoji", "release done 🎉🎉 thanks 👩‍💻 from 🇩🇪 👍🏽 ❤️ 1️⃣"},
	{"Code", "func (s *HTTPServer) getUserName(id int) error { return fmt.Errorf(\"user_%d v1.2.3: %w\", id, err) } // C++ f# a/b"},
}
