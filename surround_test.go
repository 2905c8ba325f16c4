package contextforge_test

// What stands around an entry in its session.

import (
	"github.com/contextforge-go/contextforge"
)

// searchesAlone is the default ranking without a look at what stands around an entry.
func searchesAlone() *contextforge.Ranking {
	r, d := contextforge.RankingReference(), contextforge.RankingDefault()
	r.Fusion, r.LexicalShare, r.AbsentRank, r.CandidatePool = d.Fusion, d.LexicalShare, 0, 0
	r.MinSimilarity, r.Calibrate, r.MaxOverlap, r.HalfLife, r.DecayFloor = d.MinSimilarity, d.Calibrate, d.MaxOverlap, d.HalfLife, d.DecayFloor
	r.BoostMin, r.BoostMax, r.BoostHalf, r.BoostSize, r.KindFloors = d.BoostMin, d.BoostMax, d.BoostHalf, d.BoostSize, d.KindFloors
	return &r
}
