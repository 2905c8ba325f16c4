// Package decay weighs a memory by its age.
//
// A [Curve] maps an [Age] to a factor: floor + (1 - floor)·0.5^(age/half-life).
// It is 1 at age 0 and falls towards the floor, so a floor above 0 bounds what
// age can cost: a memory from last year stays reachable. [Curves] gives every
// kind of memory its own curve. [Between] takes the age from two times.
//
// # Guarantees
//
// Pure functions, safe for concurrent use, no allocation, the same bits on
// every platform. A weight is never NaN or infinite and lies in [0, 1]. It is 1
// at age 0, and with floor 0 it is 0.5 at one half-life, 0.25 at two, and so on,
// exactly; elsewhere its relative error is below 1e-15. More than 1,075
// half-lives give the floor. Ages are exact to the nanosecond between any two
// times, years 1 and 9999 included.
//
// # Caveats
//
// A time after now has age 0. A half-life that isn't positive is replaced by
// [DefaultHalfLife], silently.
package decay
