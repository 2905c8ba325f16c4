// Redirects in a browser, whose Fetch API would follow them by itself.

package openai

import "net/http"

// forbidRedirects asks for redirects to be withheld: they then arrive as an
// answer with status 0. Package net/http takes the header out again.
func forbidRedirects(header http.Header) { header.Set("js.fetch:redirect", "manual") }
