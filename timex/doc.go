// Package timex reads time expressions in texts and questions.
package timex
