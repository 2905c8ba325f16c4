// Package analysis finds what matters in many conversations: terms that come
// back in several sessions, the passages around them, and in which way each
// passage matters.
package analysis
