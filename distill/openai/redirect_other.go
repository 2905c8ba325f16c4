//go:build !js

// Redirects outside of a browser: a transport, unlike http.Client, follows none.

package openai

import "net/http"

func forbidRedirects(http.Header) {}
