// Scan repeats one operation on a whole database, so that bench/compare can time it
// beside other programs:
//
//	scan [-times N] decode|legal|headers|names|records|open|list FILE.cbh
//
// Decode reads the moves of all lines into trees; legal also checks that no king is left
// in check; headers reads four fields of every stored header; names also looks up both
// players; records does the same with records of the model; open opens the database; list
// opens it and lists its players.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
	"cbkit/moveenc"
	"cbkit/read"
)

func main() {
	times := flag.Int("times", 1, "how often")
	flag.Parse()
	work := works[flag.Arg(0)]
	if flag.NArg() != 2 || work == nil {
		fmt.Fprintln(os.Stderr, "scan: want decode, legal, headers, names, records, open or list, and a database")
		os.Exit(2)
	}
	sum := 0
	for range *times {
		n, err := work(flag.Arg(1))
		if err != nil {
			fmt.Fprintln(os.Stderr, "scan:", err)
			os.Exit(1)
		}
		sum += n
	}
	fmt.Println(sum) // nothing was left out
}

var works = map[string]func(path string) (int, error){
	"decode":  func(path string) (int, error) { return decode(path, moveenc.Decode) },
	"legal":   func(path string) (int, error) { return decode(path, moveenc.DecodeLegal) },
	"headers": func(path string) (int, error) { return headers(path, false) },
	"names":   func(path string) (int, error) { return headers(path, true) },
	"records": records,
	"open":    justOpen,
	"list":    list,
}

// decode returns the number of moves of all games.
func decode(path string, into func([]byte, *moveenc.Game) error) (plies int, err error) {
	set, err := read.FindFiles(path)
	if err != nil {
		return 0, err
	}
	db := cbhdb.New(cbhdb.FilesOf(set))
	defer db.Close() // it was only read
	r, err := db.Reader(dbfile.FarAhead)
	if err != nil {
		return 0, err
	}
	var g moveenc.Game
	for id := model.RecordID(1); id <= r.Count(); id++ {
		h, err := r.At(id)
		if err != nil {
			return 0, err
		}
		if h.Type().IsText() {
			continue
		}
		x, err := r.Moves.Next(h.MovesAt(), id)
		if err != nil {
			return 0, err
		}
		rec, err := r.Moves.Bytes(x)
		if err != nil {
			return 0, err
		}
		if err := into(rec, &g); err != nil {
			return 0, err
		}
		plies += g.Moves.Len()
	}
	return plies, nil
}

func open(path string) (*read.ChessBase, error) {
	db, err := read.Open(path, read.Options{})
	if err != nil {
		return nil, err
	}
	chess, ok := db.(*read.ChessBase)
	if !ok {
		return nil, fmt.Errorf("%s: is no ChessBase database", path)
	}
	return chess, nil
}

// headers returns a sum of what it looked at.
func headers(path string, names bool) (sum int, err error) {
	db, err := open(path)
	if err != nil {
		return 0, err
	}
	defer db.Close() // it was only read
	players := &db.Entities().Players
	for h, err := range db.Headers(context.Background(), 1) {
		if err != nil {
			return 0, err
		}
		if sum += int(h.Date().Year) + int(h.Result()); names {
			sum += len(players.Value(h.White()).LastName) + len(players.Value(h.Black()).LastName)
		} else {
			sum += int(h.White()) + int(h.Black())
		}
	}
	return sum, players.Err()
}

// records is headers with names, of records of the model.
func records(path string) (sum int, err error) {
	db, err := open(path)
	if err != nil {
		return 0, err
	}
	defer db.Close() // it was only read
	players := &db.Entities().Players
	for rec, err := range db.Records(context.Background(), 1, model.WantHeaders) {
		if err != nil {
			return 0, err
		}
		if g := rec.Game; g != nil {
			sum += int(g.Date.Year) + int(g.Result)
			sum += len(players.Value(g.White).LastName) + len(players.Value(g.Black).LastName)
		}
	}
	return sum, players.Err()
}

// justOpen opens a database.
func justOpen(path string) (int, error) {
	db, err := open(path)
	if err != nil {
		return 0, err
	}
	return 0, db.Close()
}

// list returns the number of players who have a name.
func list(path string) (named int, err error) {
	db, err := open(path)
	if err != nil {
		return 0, err
	}
	defer db.Close() // it was only read
	players := &db.Entities().Players
	for _, p := range players.Live() {
		if p.LastName != "" {
			named++
		}
	}
	return named, players.Err()
}
