package pgn

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// FuzzReader reads any bytes. Whatever games come out of them are written and
// read again, and are then the same. What is read at one look is what is read
// otherwise.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		"", twoGames, "1. e4 e5 2. Nf3 (2. f4 exf4 $1 {x} (2... d5!?)) 2... Nc6 1-0",
		"[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n[Variant \"Chess960\"]\n\n9. O-O *",
		"[White \"A, B\"]\n[Round \"3(2)\"]\n[ECO \"C50/08\"]\n[EventType \"team-k.o. (corr)\"]\n\n0-0",
		"{[%csl Ge4][%cal Ge4e5]} 1. e4 {[%mdl 3] [%evp 1,2,3,4] [%eval 5,6] [%emt 0:00:07] [#]} ; x\n*",
		"1. e4 {[%tqu \"En\",\"a\",\"b\",\"c\",\"e7e5\",\"d\",6]} e5 {[%cbtext next;lang=de;data=AQ] x} 2. -- *",
		"1. e4 {[%cbraw type=08;data=AQ] [%cbraw kind=critical;data=eyJraW5kIjoiY3JpdGljYWwifQ]} *",
		"[Event \"a\"]\n\n1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 $1 (1... c5\n2. Nf3 {a  b\nc}) 2. Nf3 1-0\n\n[Event \"b\"]\n\n*\n",
		"% x\n1. e4 {open\n\n[Event \"x\"]\n[Site \"http://x\"]\n\n1. d4 D ± *", "\xFF\xFE", "\x1F\x8B\x08", "1. e4 gr\xfc\xdfe ½-½",
		"{a}\r[ Event \"x\" ]\r; b\r[Über \"y\"]\r[a-b \"z\"]\r[White \"A\"]\r[White \"B\"]\r[ \"q\"]\r[Date \"3/2/2001\"]\r\r1. e4 d5 ed ch <x>\r[Annotator \"c\"]\rQ:d5 (=) White resigns (why) 1:0\r\r{next}\r[Result \"0-0\"]\r\r*",
		"[CbTag_White \"A\"]\n[Round \"0\"]\n[Result \"won\"]\n[FEN \"7k/8/8/8/8/8/8/K7 w\"]\n\npass $0 talk {\n[Event \"x\"]\n[Site \"y\"]\n} *",
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, keepGoing bool) {
		checkUsual(t, &ReaderOptions{KeepGoing: keepGoing}, model.WantAll, string(text))
		db := &model.Database{}
		r := NewReader(bytes.NewReader(text), ReaderOptions{Jobs: 1, KeepGoing: keepGoing})
		for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
			switch {
			case err == nil:
				db.List = append(db.List, rec.Clone())
			case err.Error() == "":
				t.Error("an error without words")
			}
		}
		db.Tables = *r.Entities()

		var out bytes.Buffer
		w := NewWriter(&out, WriterOptions{Report: func(l model.Loss) { t.Errorf("reported: %v", l) }})
		must.Do(t, model.Copy(context.Background(), w, db, model.CopyOptions{}))
		written := bytes.Clone(out.Bytes())
		again, err := model.Load(context.Background(), NewReader(&out, ReaderOptions{}))
		if err != nil {
			t.Fatalf("%v in:\n%s", err, written)
		}
		if len(again.List) != len(db.List) {
			t.Fatalf("%d games became %d in:\n%s", len(db.List), len(again.List), written)
		}
		for i := range db.List {
			a, b := db.List[i].Game.Resolve(&db.Tables), again.List[i].Game.Resolve(&again.Tables)
			if !a.Equal(b) {
				t.Fatalf("game %d: %s\nin:\n%s", i+1, cmp.Diff(a, b), written)
			}
		}
	})
}
