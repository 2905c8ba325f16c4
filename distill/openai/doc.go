// Package openai distills transcripts with a language model behind an endpoint
// that speaks the OpenAI chat-completions protocol: OpenAI itself, Ollama, vLLM,
// LM Studio, llama-server, and many gateways.
//
// [New] makes a [Client], a [distill.Distiller], of [Options]. What a call cost
// and what it left out comes through Options.OnUsage and Options.OnReport.
//
// # Protocol
//
//	transcript → its last MaxTranscriptChars → delimited as data
//	  attempt 1: response_format with the schema
//	  attempt 2: without it, the schema in the prompt
//	             (only if attempt 1 was answered, but unusably)
//	reply → JSON, recovered where need be → faulty facts out → distill.Check
//
// A request is POSTed to the base URL's path + "/chat/completions". Its body has
// model, messages, response_format, and if set temperature and max_tokens, no
// vendor's keys. Redirects are never followed.
//
// Answers with status 408, 425, 429, 5xx (but 501) and transport failures are
// retried, with growing, jittered pauses or when Retry-After says, on the budget
// Options.Retries for both attempts together. Then a transport failure, a
// redirect, 401, 402, 403, 404, 405, 407, 410, 413, 429, a status with Retry-After,
// a refusal and an answer that is too large are final; any other answer that can't
// be used leads to attempt 2. If that fails too, the error wraps both causes.
//
// # Replies
//
// The content of the first choice is read as JSON. If it isn't, the document is
// looked for in it:
//
//   - Whatever surrounds a document doesn't matter: fences of any length, prose, a
//     byte-order mark, an enclosing object or array. Nor does it that all of the reply
//     is one JSON string that holds it.
//   - Among several objects that have a string "summary" and an array "facts", the
//     one that ends last counts. If both were only dots, it is a template and
//     doesn't count.
//   - Think-aloud sections (<think>, <thinking>, <thought>, <reasoning>, [THINK]) are
//     passed over with the drafts in them. A closing tag without an opening one ends
//     a section that began with the text. A section that isn't closed is no section,
//     unless the reply was cut off by its token limit.
//   - Separate fields for reasoning are read only if the content is empty.
//   - In a document, comments (// and /* */) between tokens, one comma before a
//     closing bracket, line breaks and tabs inside of strings, and \' in them can
//     mean one thing only and are accepted. Single quotes, typographic quotes,
//     missing commas and bare keys are not.
//   - If no document is whole, but one with a whole summary breaks off (at the end of
//     the reply or of a fence) behind the array of facts or behind a whole fact in it,
//     the facts that are whole are kept, and the loss is reported. If the summary
//     would have come later, nothing is kept.
//
// Facts with a fault (unknown kind, no text) in a good document are left out and
// reported, as is what [distill.Check] finds unsupported by the transcript. If
// nothing remains of a reply that had something, that is an error. Errors about
// replies are of type [*ReplyError] and match [ErrNoFacts]; they quote the
// reply's start.
//
// # Secrets
//
// The API key isn't printed by any verb of package fmt, by encoding/json or
// log/slog, for Options or Client, nor is it in errors, logs or the memory, even if
// the server sends it back. A base URL with a user or password in it is refused,
// and values in its query are hidden. Text from the server appears in errors
// scrubbed, shortened, and with control characters escaped. A struct of your own
// that holds Options in an unexported field is printed by package fmt with all that
// is inside; hold the Client there.
//
// # Guarantees
//
// A Client may be used by many goroutines at a time; it reuses connections, and
// Distill leaves no goroutine behind but those of idle connections, which
// [Client.CloseIdleConnections] ends. Distill returns promptly once its context is
// done. An answer takes at most MaxResponseBytes of memory after decompression, and
// reading it takes time linear in its length.
//
// # Caveats
//
// A model's answer isn't deterministic. The transcript is sent as it was given:
// take secrets out of it before, with package scrub. The result must pass through
// [distill.Clean] before it is kept. In a browser (js/wasm) the requests are made by
// its Fetch API, which knows neither Proxy nor TLS options.
package openai
