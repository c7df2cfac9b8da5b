package avl_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cbkit/avl"
)

// players is an entity file in memory: a tree, and the payload of each record.
type players struct {
	tree  *avl.Tree
	names []string
}

// compareTo compares a name with those of the records.
func (p *players) compareTo(name string) avl.Compare {
	return func(id int32) int { return strings.Compare(name, p.names[id]) }
}

// order compares two records.
func (p *players) order(a, b int32) int { return strings.Compare(p.names[a], p.names[b]) }

// add stores a name under the id the tree gives it.
func (p *players) add(name string) int32 {
	id, err := p.tree.Add(p.compareTo(name))
	if err != nil {
		panic(err)
	}
	p.names = append(p.names, make([]string, len(p.tree.Nodes)-len(p.names))...)
	p.names[id] = name
	return id
}

func newPlayers(names ...string) *players {
	p := &players{tree: avl.New()}
	for _, name := range names {
		p.add(name)
	}
	return p
}

// A tree holds links only. The keys stay with the caller, who compares them.
func Example() {
	p := newPlayers("Tal", "Botvinnik", "Smyslov", "Petrosian", "Spassky")
	for id := range p.tree.All() {
		fmt.Println(id, p.names[id], p.tree.Nodes[id])
	}
	fmt.Println("root", p.tree.Root)
	// Output:
	// 1 Botvinnik {-1 3 1}
	// 3 Petrosian {-1 -1 0}
	// 2 Smyslov {1 0 0}
	// 4 Spassky {-1 -1 0}
	// 0 Tal {4 -1 -1}
	// root 2
}

func ExampleTree_Add() {
	p := newPlayers("Tal", "Botvinnik")
	name := "Smyslov"
	id, err := p.tree.Add(func(id int32) int { return strings.Compare(name, p.names[id]) })
	if err != nil {
		fmt.Println(err)
		return
	}
	p.names = append(p.names, name) // the record of the new id
	fmt.Println("id", id, "root", p.tree.Root)
	// Output: id 2 root 2
}

// A key is never changed in place. The new record is added, the games are
// made to refer to it, and the old record is removed.
func ExampleTree_Remove() {
	p := newPlayers("Tal", "Botvinik", "Smyslov")
	id := p.add("Botvinnik")
	if err := p.tree.Remove(1, p.compareTo("Botvinik")); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("new id", id, "first deleted", p.tree.Free)
	fmt.Println("the next new player gets id", p.add("Spassky"))
	// Output:
	// new id 3 first deleted 1
	// the next new player gets id 1
}

// The halves of Add, for a caller who must know the id before it has the key.
func ExampleTree_Allocate() {
	p := newPlayers("Tal")
	id, err := p.tree.Allocate()
	if err != nil {
		fmt.Println(err)
		return
	}
	p.names = append(p.names, fmt.Sprintf("NN %d", id))
	if err := p.tree.Insert(id, p.compareTo(p.names[id])); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.names[p.tree.LowerBound(p.compareTo("NN"))])
	// Output: NN 1
}

// Insert takes what Allocate or Delete gave, nothing else.
func ExampleTree_Insert() {
	p := newPlayers("Tal", "Smyslov")
	fmt.Println(p.tree.Insert(1, p.compareTo("Smyslov")))
	// Output: record is not fresh from Allocate or Delete
}

// Delete and Insert move a record to another key under the same id.
func ExampleTree_Delete() {
	p := newPlayers("Tal", "Smyslow", "Zukertort")
	if err := p.tree.Delete(1, p.compareTo("Smyslow")); err != nil {
		fmt.Println(err)
		return
	}
	p.names[1] = "Smyslov"
	if err := p.tree.Insert(1, p.compareTo("Smyslov")); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.tree.Find(p.compareTo("Smyslov")))
	// Output: 1 true
}

func ExampleTree_Release() {
	p := newPlayers("Tal", "Smyslov")
	id, err := p.tree.Allocate()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.tree.Release(id), p.tree.Free)
	// Output: <nil> 2
}

func ExampleTree_Find() {
	p := newPlayers("Tal", "Botvinnik", "Smyslov")
	fmt.Println(p.tree.Find(p.compareTo("Botvinnik")))
	fmt.Println(p.tree.Find(p.compareTo("Botvinik")))
	// Output:
	// 1 true
	// -1 false
}

func ExampleTree_LowerBound() {
	p := newPlayers("Tal", "Botvinnik", "Smyslov")
	fmt.Println(p.tree.LowerBound(p.compareTo("S")), p.tree.LowerBound(p.compareTo("Z")))
	// Output: 2 -1
}

// All players whose names begin alike.
func ExampleTree_From() {
	p := newPlayers("Spassky", "Smyslov", "Tal", "Botvinnik", "Steinitz", "Euwe")
	for id := range p.tree.From(p.compareTo("S")) {
		if !strings.HasPrefix(p.names[id], "S") {
			break
		}
		fmt.Println(id, p.names[id])
	}
	// Output:
	// 1 Smyslov
	// 0 Spassky
	// 4 Steinitz
}

// Two records of the same key: the younger one comes first.
func ExampleTree_Equal() {
	p := newPlayers("", "Tal", "")
	fmt.Println(slices.Collect(p.tree.Equal(p.compareTo(""))))
	// Output: [2 0]
}

func ExampleTree_All() {
	p := newPlayers("Tal", "Botvinnik", "Smyslov")
	fmt.Println(slices.Collect(p.tree.All()))
	// Output: [1 2 0]
}

func ExampleTree_LiveIDs() {
	p := newPlayers("Tal", "Botvinnik", "Smyslov")
	if err := p.tree.Remove(1, p.compareTo("Botvinnik")); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(slices.Collect(p.tree.LiveIDs()))
	// Output: [0 2]
}

func ExampleTree_Height() {
	tree := avl.New()
	for n := range 1000 { // ascending keys
		if _, err := tree.Add(func(id int32) int { return n - int(id) }); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(tree.Height())
	// Output: 10
}

// After each change an editor rewrites the records on the way, not the file.
func ExampleTree_AppendChanged() {
	p := newPlayers("Tal", "Botvinnik", "Smyslov", "Petrosian", "Spassky", "Fischer")
	p.add("Karpov")
	for _, id := range p.tree.AppendChanged(nil) {
		fmt.Println("write", id, p.tree.Nodes[id])
	}
	// Output:
	// write 2 {5 0 -1}
	// write 3 {6 -1 -1}
	// write 5 {1 3 1}
	// write 6 {-1 -1 0}
}

// A file from elsewhere is verified before it is changed.
func ExampleTree_Verify() {
	names := []string{"Tal", "Botvinnik", "Smyslov"}
	tree := &avl.Tree{
		Nodes: []avl.Node{{Left: 1, Right: 7, Balance: -1}, {Left: avl.None, Right: avl.None}, {Left: avl.None, Right: avl.None}},
		Root:  0, Free: avl.None, Live: 2,
	}
	order := func(a, b int32) int { return strings.Compare(names[a], names[b]) }
	for _, finding := range tree.Verify(order) {
		fmt.Println(finding)
	}
	// Output:
	// header (live records): counts 2, there are 3
	// record 0 (right): leads to 7, outside the records
	// record 2 (live records): live, but not reached from the root
}

// Damage is met on the way, refused, and repaired.
func ExampleTree_Rebuild() {
	p := newPlayers("Tal", "Botvinnik", "Smyslov")
	p.tree.Nodes[1].Left = 99

	_, err := p.tree.Add(p.compareTo("Alekhine"))
	fmt.Println(err)
	if _, damaged := errors.AsType[*avl.DamageError](err); damaged {
		err = p.tree.Rebuild(p.tree.LiveIDs(), p.order)
	}
	fmt.Println(err, p.tree.AppendChanged(nil), len(p.tree.Verify(p.order)))
	// Output:
	// tree is damaged: record 1 (left): leads to 99, outside the records; rebuild it
	// <nil> [1] 0
}

func ExampleNew() {
	t := avl.New()
	fmt.Println(t.Root, t.Free, t.Live)
	// Output: 0 -1 0
}

func ExampleTree_Clone() {
	p := newPlayers("Tal")
	saved := p.tree.Clone()
	p.add("Smyslov")
	fmt.Println(saved.Live, p.tree.Live)
	// Output: 1 2
}

func ExampleFinding_Text() {
	f := avl.Finding{Kind: avl.WrongBalance, ID: 17, Field: "balance", Value: 0, Want: 1}
	fmt.Printf("games.cbp: %v\n", f)
	fmt.Println(f.Text())
	// Output:
	// games.cbp: record 17 (balance): is 0, the subtrees make it 1
	// is 0, the subtrees make it 1
}

func ExampleNode_Live() {
	fmt.Println(avl.Node{Left: avl.Deleted, Right: avl.None}.Live())
	// Output: false
}

// The links of a large file are read as they are needed, and those that have
// changed are written back.
func ExampleOpen() {
	p := newPlayers("Tal", "Botvinnik", "Smyslov", "Petrosian", "Spassky")
	file := p.tree.Nodes
	tree := avl.Open(len(file), p.tree.Root, p.tree.Free, p.tree.Live, func(id int32) (avl.Node, error) {
		fmt.Println("read", p.names[id])
		return file[id], nil
	})
	id, err := tree.Add(p.compareTo("Fischer"))
	fmt.Println("new record", id, err)
	for _, id := range tree.AppendChanged(nil) {
		fmt.Println("write", id, tree.Node(id))
	}
	// Output:
	// read Smyslov
	// read Botvinnik
	// read Petrosian
	// new record 5 <nil>
	// write 1 {-1 -1 0}
	// write 2 {5 0 0}
	// write 5 {1 3 0}
}

// The place of damage is known, without a search for all of it.
func ExampleDamageError() {
	p := newPlayers("Tal", "Botvinnik", "Smyslov")
	p.tree.Nodes[1].Left = 99
	_, err := p.tree.Add(p.compareTo("Alekhine"))
	var damage *avl.DamageError
	if errors.As(err, &damage) {
		fmt.Println("record", damage.Finding.ID, "-", damage.Finding.Text())
	}
	// Output: record 1 - leads to 99, outside the records
}
