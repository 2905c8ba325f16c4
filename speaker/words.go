// The words for roles, which are speakers in any case, and for labels, which are
// none.

package speaker

import "strings"

// maxWord is enough bytes for any word of the lists.
const maxWord = 24

// fold writes a word in lower case into the buffer; a longer one is in no list.
func fold(buf *[maxWord]byte, word string) string {
	if len(word) > maxWord {
		return ""
	}
	n := copy(buf[:], word)
	for i, c := range buf[:n] {
		if c >= 'A' && c <= 'Z' {
			buf[i] = c + 'a' - 'A'
		}
	}
	return string(buf[:n])
}

// isRole reports whether the word is one for a part in a conversation.
func isRole(word string) bool {
	var buf [maxWord]byte
	switch fold(&buf, word) {
	case "user", "assistant", "system", "human", "ai", "bot", "chatbot", "agent", "me", "you", "customer", "support", "interviewer",
		"interviewee", "moderator", "host", "guest", "speaker", "caller", "operator", "client", "narrator", "therapist", "patient",
		"doctor", "teacher", "student", "mom", "mum", "dad",
		"benutzer", "nutzer", "assistent", "ich", "kunde", "utilisateur", "moi", "usuario", "asistente", "yo", "cliente", "utente",
		"assistente", "io", "usuário", "eu", "gebruiker", "ik", "klant",
		"用户", "用戶", "助手", "助理", "系统", "系統", "客服", "我", "你", "ユーザー", "アシスタント", "システム", "私":
		return true
	}
	return false
}

// isLabel reports whether the word before a colon says what follows, and not who
// says it.
func isLabel(word string) bool {
	var buf [maxWord]byte
	switch strings.Trim(fold(&buf, word), ".") {
	case "note", "notes", "todo", "re", "subject", "ps", "p.s", "fwd", "fw", "from", "to", "cc", "bcc", "date", "warning", "error", "info",
		"debug", "hint", "tip", "tips", "example", "examples", "question", "questions", "answer", "answers", "update", "edit", "summary",
		"title", "name", "address", "phone", "email", "mail", "url", "link", "links", "source", "sources", "reminder", "important",
		"attention", "result", "results", "output", "input", "step", "steps", "part", "chapter", "section", "figure", "table", "version",
		"price", "total", "time", "location", "place", "where", "when", "who", "what", "why", "how", "yes", "no", "ok", "okay", "also",
		"first", "second", "third", "finally", "however", "conclusion", "reason", "reasons", "goal", "goals", "task", "tasks", "plan",
		"plans", "idea", "ideas", "fact", "facts", "remember", "caution", "disclaimer", "spoiler", "quote", "caption", "photo", "image",
		"video", "file", "files", "path", "code", "type", "status", "key", "value", "description", "author", "day", "week", "news",
		"today", "tomorrow", "yesterday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
		"ingredients", "recipe", "instructions", "options", "option", "pros", "cons", "next", "thought", "observation", "action",
		"hinweis", "achtung", "betreff", "frage", "antwort", "beispiel", "wichtig", "exemple", "objet", "nota", "asunto",
		"ejemplo", "pregunta", "respuesta", "esempio", "oggetto", "domanda", "risposta", "exemplo", "assunto", "opmerking":
		return true
	}
	return false
}
