// Phrases of Chinese, Japanese and Korean, which aren't written in words between blanks.

package injection

import (
	"strings"
	"unicode/utf8"
)

// eastAsian are the parts of a phrase: something before or after the verb in the same sentence.
var (
	settingAside = []string{"忽略", "忽视", "无视", "無視", "忘记", "忘記", "忘掉", "忘れ", "不要遵守", "不要理会", "不要遵循", "不再遵守", "不用理会", "別理", "别管", "従わな", "従うな", "무시", "잊어"}
	ordered      = []string{"指令", "指示", "提示", "规则", "規則", "命令", "ルール", "プロンプト", "設定", "设定", "制約", "限制", "内容", "지시", "명령", "규칙", "프롬프트"}
	earlier      = []string{"之前", "以前", "以上", "先前", "前面", "上面", "所有", "一切", "上述", "上記", "此前", "你的", "系统", "これまで", "今まで", "すべて", "全て", "全部", "前の", "あなたの", "이전", "모든", "위의", "앞의"}
	systemPrompt = []string{"系统提示", "系統提示", "システムプロンプト", "시스템 프롬프트"}
	givingAway   = []string{"显示", "输出", "告诉", "重复", "泄露", "打印", "公开", "顯示", "輸出", "表示", "教えて", "出力", "繰り返", "公開", "보여", "출력", "알려"}
)

// reach is how many bytes before and after a verb belong to its phrase.
const reach = 72

// ideograph looks for a phrase around the character r at i.
func (s *scanner) ideograph(r rune, i int) {
	switch r {
	case '忽', '无', '無', '忘', '不', '別', '别', '従', '무', '잊':
		if size := prefix(s.text[i:], settingAside); size > 0 {
			around := sentenceAround(s.text, i)
			if contains(around, ordered) && contains(around, earlier) {
				s.signal(OverridePhrase, i, i+size, "sets instructions aside")
			}
		}
	case '系', 'シ', '시':
		if size := prefix(s.text[i:], systemPrompt); size > 0 && contains(sentenceAround(s.text, i), givingAway) {
			s.signal(PromptLeak, i, i+size, "asks for the prompt")
		}
	}
}

// prefix returns the length of the element of list that text begins with.
func prefix(text string, list []string) int {
	for _, p := range list {
		if strings.HasPrefix(text, p) {
			return len(p)
		}
	}
	return 0
}

func contains(text string, list []string) bool {
	for _, p := range list {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// sentenceAround returns what surrounds i, at most reach bytes on each side, up to the ends of the sentence.
func sentenceAround(text string, i int) string {
	const ends = "。！？.!?\n"
	before, after := text[max(0, i-reach):i], text[i:min(len(text), i+reach)]
	if n := strings.LastIndexAny(before, ends); n >= 0 {
		_, size := utf8.DecodeRuneInString(before[n:])
		before = before[n+size:]
	}
	if n := strings.IndexAny(after, ends); n >= 0 {
		after = after[:n]
	}
	return before + after
}
