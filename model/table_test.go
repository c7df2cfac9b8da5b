package model_test

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"cbkit/model"
)

// stored are entities of a source.
type stored []model.Slot[model.Annotator]

func (s stored) Len() int                                           { return len(s) }
func (s stored) Value(id model.EntityID) model.Annotator            { return s[id].Value }
func (s stored) IsDeleted(id model.EntityID) bool                   { return s[id].Deleted }
func (s stored) Slot(id model.EntityID) model.Slot[model.Annotator] { return s[id] }
func (s stored) Err() error                                         { return nil }
func (s stored) Slots(yield func(model.EntityID, model.Slot[model.Annotator]) bool) {
	for id, slot := range s {
		if !yield(model.EntityID(id), slot) {
			return
		}
	}
}
func (s stored) Live(yield func(model.EntityID, model.Annotator) bool) {
	for id, slot := range s {
		if !slot.Deleted && !yield(model.EntityID(id), slot.Value) {
			return
		}
	}
}

// TestTable plays random operations on a table and on a plain slice. Some of its
// entities are stored elsewhere to begin with.
func TestTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var slots []model.Slot[model.Annotator]
		for i := range rapid.IntRange(0, 3).Draw(t, "stored") {
			slots = append(slots, model.Slot[model.Annotator]{Value: model.Annotator{Name: "abc"[i : i+1]}, Deleted: rapid.Bool().Draw(t, "deleted")})
		}
		table := model.StoredTable(stored(slices.Clone(slots)))
		find := func(v model.Annotator) model.EntityID {
			for id, s := range slots {
				if !s.Deleted && s.Value == v {
					return model.EntityID(id)
				}
			}
			return model.NoEntity
		}
		draw := func(t *rapid.T) model.Annotator {
			return model.Annotator{Name: rapid.StringMatching("[a-z]?").Draw(t, "name")}
		}
		slot := func(t *rapid.T) model.EntityID {
			if len(slots) == 0 {
				t.Skip("an empty table")
			}
			return model.EntityID(rapid.IntRange(0, len(slots)-1).Draw(t, "id"))
		}
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				s := model.Slot[model.Annotator]{Value: draw(t), Deleted: rapid.Bool().Draw(t, "deleted")}
				if id := table.Append(s); int(id) != len(slots) {
					t.Fatalf("Append returns %d, want %d", id, len(slots))
				}
				slots = append(slots, s)
			},
			"intern": func(t *rapid.T) {
				v := draw(t)
				want := find(v)
				if want == model.NoEntity {
					want = model.EntityID(len(slots))
					slots = append(slots, model.Slot[model.Annotator]{Value: v})
				}
				if id := table.Intern(v); id != want {
					t.Fatalf("Intern returns %d, want %d", id, want)
				}
			},
			"set": func(t *rapid.T) {
				id, v := slot(t), draw(t)
				table.Set(id, v)
				slots[id] = model.Slot[model.Annotator]{Value: v}
			},
			"delete": func(t *rapid.T) {
				id := slot(t)
				table.Delete(id)
				slots[id].Deleted = true
			},
			"clone": func(t *rapid.T) {
				clone := table.Clone()
				clone.Intern(model.Annotator{Name: "only in the clone"})
				clone.Append(model.Slot[model.Annotator]{})
			},
			"": func(t *rapid.T) {
				if table.Len() != len(slots) {
					t.Fatalf("Len is %d, want %d", table.Len(), len(slots))
				}
				n := 0
				for id, s := range table.All() {
					if int(id) != n || s != slots[id] || table.Slot(id) != s {
						t.Fatalf("slot %d is %v, want %v", id, s, slots[n])
					}
					if table.IsDeleted(id) != s.Deleted {
						t.Fatalf("slot %d is deleted: %v", id, !s.Deleted)
					}
					v, ok := table.Get(id)
					if !ok || v != s.Value || table.Value(id) != v {
						t.Fatalf("entity %d is %v, %v; the slot %v", id, v, ok, s)
					}
					n++
				}
				for id, v := range table.Live() {
					if s := slots[id]; s.Deleted || s.Value != v {
						t.Fatalf("%v is live in slot %d, which is %v", v, id, s)
					}
					n--
				}
				for _, s := range slots {
					if s.Deleted {
						n--
					}
				}
				if n != 0 {
					t.Fatalf("%d entities are neither live nor deleted", n)
				}
				for _, name := range append(strings.Split("abcdefghijklmnopqrstuvwxyz", ""), "", "only in the clone") { // more than an index begins with
					id, ok := table.Find(model.Annotator{Name: name})
					if want := find(model.Annotator{Name: name}); id != want || ok != (want != model.NoEntity) {
						t.Fatalf("Find(%q) returns %d, %v; want %d", name, id, ok, want)
					}
				}
			},
		})
	})
}

func TestTableOutside(t *testing.T) {
	var table model.Table[model.Team]
	table.Append(model.Slot[model.Team]{Value: model.Team{Title: "a"}, Leftover: &model.Leftover{Format: "cbh"}})
	for _, id := range []model.EntityID{model.NoEntity, -100, 1, 1 << 30} {
		if v, ok := table.Get(id); ok || v != (model.Team{}) || table.Value(id) != v {
			t.Errorf("entity %d is %v, %v", id, v, ok)
		}
	}
	table.Set(0, model.Team{Title: "b"})
	if table.Slot(0).Leftover != nil {
		t.Error("Set keeps the leftover of the old value")
	}
	for range table.All() {
		break
	}
	for range table.Live() {
		break
	}
}

// What is outside of a table is nothing, in memory and where entities are stored:
// nothing is asked for that is not there.
func TestNothingOutsideOfTables(t *testing.T) {
	var empty, memory model.Table[model.Annotator]
	memory.Append(model.Slot[model.Annotator]{Value: model.Annotator{Name: "a"}, Deleted: true})
	file := model.StoredTable(stored{{Value: model.Annotator{Name: "a"}, Deleted: true}})
	for name, table := range map[string]*model.Table[model.Annotator]{"empty": &empty, "memory": &memory, "stored": &file} {
		for _, id := range []model.EntityID{model.NoEntity, -2, 1, 2, 1 << 30, -1 << 31} {
			if s := table.Slot(id); s != (model.Slot[model.Annotator]{}) {
				t.Errorf("%s: slot %d: %v", name, id, s)
			}
			if v, ok := table.Get(id); ok || v != (model.Annotator{}) || table.Value(id) != v || table.IsDeleted(id) {
				t.Errorf("%s: there is something at %d", name, id)
			}
		}
		if err := table.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, ok := table.Find(model.Annotator{Name: "b"}); ok {
			t.Errorf("%s: found what is not there", name)
		}
	}
}

// Several may look for entities of a database in memory at once, also for the first
// time: the race detector sees a hidden write.
func TestFindAtOnce(t *testing.T) {
	var table model.Table[model.Annotator]
	for i := range 100 {
		table.Append(model.Slot[model.Annotator]{Value: model.Annotator{Name: strconv.Itoa(i)}})
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 100 {
				if id, ok := table.Find(model.Annotator{Name: strconv.Itoa(i)}); !ok || int(id) != i {
					t.Errorf("%d was found as %d", i, id)
				}
			}
		})
	}
	all.Wait()
}
