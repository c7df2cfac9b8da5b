package read_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// A slot that is kept, as by whoever collects names of several databases, keeps what it
// says and what was stored, and no more.
func TestSlotsThatAreKept(t *testing.T) {
	const players = 4000
	db := &model.Database{}
	for i := range players {
		g := model.NewGame()
		g.White = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprintf("Player %d", i), FirstName: "Anna"})
		db.AddGame(g)
	}
	mem := write.NewMemory()
	sink := must.Get(write.Create(t.Context(), "Games.cbh", write.Options{In: mem}))(t)
	must.Do(t, model.Copy(t.Context(), sink, db, model.CopyOptions{}))
	src := must.Get(read.OpenFS(mem, "Games.cbh", read.Options{}))(t)
	defer src.Close()
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	kept := make([]model.Slot[model.Player], 0, players)
	for id := range model.EntityID(players) {
		kept = append(kept, src.Entities().Players.Slot(id))
	}
	after := heap()
	each := float64(after-before) / players
	if t.Logf("%.0f bytes a slot", each); after < before || each > 400 {
		t.Errorf("%.0f bytes a slot", each)
	}
	if !slices.ContainsFunc(kept, func(s model.Slot[model.Player]) bool {
		return s.Value == model.Player{LastName: "Player 7", FirstName: "Anna"}
	}) {
		t.Error("a player is missing")
	}
}
