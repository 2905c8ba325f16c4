// What must hold of single formats beyond their characters.

package scrub

import (
	"encoding/base64"
	"strings"
)

// vendorKey accepts keys "sk-<vendor>-…" of vendors without a rule of their own.
func vendorKey(secret string) bool {
	vendor, rest, _ := strings.Cut(secret[len("sk-"):], "-")
	return vendor != "ant" && vendor != "proj" && vendor != "or" && len(rest) >= 20 && unlikeWords(rest) && strings.ContainsAny(rest, "0123456789")
}

// prefixedKey accepts keys in which the random part follows the last of the
// words that say what it is for; publishable keys aren't secret.
func prefixedKey(secret string) bool {
	at := 0
	for _, word := range [...]string{"_live_", "_test_", "_prod_", "_dev_", "_secret_", "_api_", "_token_", "_apikey_", "_auth_", "_key_", "_pat_", "_sk_", "_sandbox_"} {
		if i := strings.Index(secret, word); i >= 0 {
			at = max(at, i+len(word))
		}
	}
	rest := secret[at:]
	return len(rest) >= 20 && !elsewhere(secret) && (mixed(rest) && hasDigit(rest) || len(rest) >= 32 && hexadecimal(rest))
}

// elsewhere reports a publishable key, or one that a rule of its own judges.
func elsewhere(secret string) bool {
	for _, prefix := range [...]string{"pk_", "pub", "github_", "dckr_", "sbp_", "lin_"} {
		if strings.HasPrefix(secret, prefix) {
			return true
		}
	}
	return strings.Contains(secret, "_pub")
}

func stripeKey(secret string) bool {
	h := shapeOf(secret[len("sk_live_"):])
	return !standsIn(secret) && !(h.digits == 0 && h.rate() < 85)
}

// telegram accepts tokens, not the times and addresses that look like them.
func telegram(secret string) bool {
	_, rest, _ := strings.Cut(secret, ":")
	return mixed(rest)
}

// twitterToken accepts what has escapes, as the tokens do and pictures in base64
// don't.
func twitterToken(secret string) bool { return strings.Contains(secret, "%") }

// encodedKey accepts armour in base64 that holds a private key, not one that
// holds a certificate.
func encodedKey(secret string) bool {
	plain, err := base64.StdEncoding.DecodeString(secret[:60])
	return err == nil && strings.Contains(string(plain), "PRIVATE KEY")
}

// discord accepts tokens, not names of names of classes.
func discord(secret string) bool {
	h := shapeOf(secret)
	return h.digits > 0 || h.rate() >= 88 || h.distinct < 8
}

// facebook accepts tokens, not binary data in base64, which is full of zeros and
// begins in the same way.
func facebook(secret string) bool {
	return mixed(secret) && strings.Count(secret, "A")*8 < len(secret)
}
