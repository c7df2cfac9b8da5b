package cbh_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/internal/ctg"
	"cbkit/internal/dcdb"
	"cbkit/jsonl"
	"cbkit/model"
)

// repeated are bytes of which a page prints one and their number: 00x23.
var repeated = regexp.MustCompile(`\b([0-9A-Fa-f]{2})x(\d+)\b`)

// unfold writes all bytes that a page prints with their number.
func unfold(text string) string {
	return repeated.ReplaceAllStringFunc(text, func(s string) string {
		n, err := strconv.Atoi(s[3:])
		if err != nil || n > 4096 {
			return s
		}
		return strings.Repeat(s[:2], n)
	})
}

func judgeGameRecord(v vector) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	r, err := cbh.DecodeGameRecord(b)
	if err != nil {
		return err
	}
	ext := cbh.DefaultExtRecord()
	h := r.Header(&ext)
	if err := same(r.Append(nil), nil, b); err != nil {
		return err
	}
	return v.says("moves at %d, annotations at %d, white %d, black %d, tournament %d, annotator %d, source %d, %v, %v, round %d, ratings %d %d, %v, flags %d, %d moves",
		r.MovesOffset, r.AnnotationsOffset, h.White, h.Black, h.Tournament, h.Annotator, h.Source, h.Date, h.Result, h.Round, h.WhiteElo, h.BlackElo, h.ECO, r.Flags, r.MoveCount)
}

func judgeTextRecord(v vector) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	r, err := cbh.DecodeTextRecord(b)
	if err != nil {
		return err
	}
	if err := same(r.Append(nil), nil, b); err != nil {
		return err
	}
	return v.says("content at %d, tournament %d, source %d, annotator %d, round %d, flags %d", r.Offset, r.Tournament, r.Source, r.Annotator, r.Round, r.Flags)
}

func judgeExtRecord(v vector) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	r := cbh.DecodeExtRecord(b)
	if sum := cbh.SumExt(b); sum != r.Checksum {
		return fmt.Errorf("the sum of the words is %04X", sum)
	}
	if err := same(r.Append(nil, len(b)), nil, b); err != nil {
		return err
	}
	created, _ := cbh.CreationTime(r.Created)
	return v.says("teams %d %d, media %d, annotations at %d, material %04X %04X, moves at %d, saved %d, created %s, title %d",
		r.WhiteTeam, r.BlackTeam, r.Media, r.AnnotationsOffset, r.Material[0], r.Material[1], r.MovesOffset, r.Saves, created.UTC().Format("2006-01-02 15:04:05"), r.GameTitle)
}

// judgeEntity runs a record of an entity file, with its links, through a codec.
func judgeEntity[T comparable](v vector, codec *cbh.EntityCodec[T], value func(T) string) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	links, err := cbh.DecodeEntityLinks(b)
	if err != nil || len(b) != codec.RecordSize() {
		return fmt.Errorf("a record of %d bytes has %d, %v", codec.RecordSize(), len(b), err)
	}
	payload := b[len(b)-codec.Size:]
	use, entity := cbh.DecodeEntityUse(payload), codec.Decode(payload, cbh.CodePage{})
	again, losses := codec.Append(links.Append(nil), entity, cbh.CodePage{})
	use.Put(again[len(again)-codec.Size:])
	if len(losses) > 0 || !bytes.Equal(again, b) {
		return fmt.Errorf("written as %x, %v", again, losses)
	}
	return v.says("left %d, right %d, balance %d: %s; %d references, first record %d", links.Left, links.Right, links.Balance, value(entity), use.Count, use.First)
}

// judgePayload runs the payload of an annotation through the codecs; the page says
// in JSON what it means.
func judgePayload(v vector, typ uint8) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	value := cbh.DecodePayload(typ, b, cbh.CodePage{})
	again, as, err := cbh.AppendPayload(nil, value, cbh.CodePage{})
	if err == nil && as != typ {
		err = fmt.Errorf("written as type %02X", as)
	}
	if err := same(again, err, b); err != nil {
		return err
	}
	return v.says("%s", jsonl.AppendValue(nil, value))
}

// payloadJudges are the judges of payloads, for all types that are known.
func payloadJudges() map[string]func(v vector) error {
	list := map[string]func(v vector) error{}
	for _, typ := range []uint8{0x02, 0x82, 0x03, 0x04, 0x05, 0x07, 0x09, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x1C, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26} {
		list[fmt.Sprintf("payload %02X", typ)] = func(v vector) error { return judgePayload(v, typ) }
	}
	return list
}

func judgeBookHash(v vector) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	return v.says("%08x", ctg.Hash(b))
}

// judgeHashTable computes hashes with the table of the page, by its rule.
func judgeHashTable(v vector) error {
	b, err := decodeHex(strings.Join(v.text, " "))
	if err != nil || len(b) != 64*4 {
		return fmt.Errorf("%d bytes, %v", len(b), err)
	}
	hash := func(key []byte) (h uint32) {
		i := 0
		for _, c := range key {
			for _, half := range []byte{c & 15, c >> 4} {
				i += 61 - 4*int(half)
				h += binary.BigEndian.Uint32(b[4*(i%64):])
			}
		}
		return h
	}
	for n := range 1 << 16 {
		key := []byte{byte(n), byte(n >> 8)}
		if got := hash(key); got != ctg.Hash(key) {
			return fmt.Errorf("the hash of % x is %08x with it, not %08x", key, got, ctg.Hash(key))
		}
	}
	return nil
}

// judgeQuotationCipher writes quotations of one move, whose first word has each
// byte of the table in turn.
func judgeQuotationCipher(v vector) error {
	table, err := decodeHex(strings.Join(v.text, " "))
	if err != nil || len(table) != 256 {
		return fmt.Errorf("%d bytes, %v", len(table), err)
	}
	for b := range 256 {
		from, to := model.SquareFromFileMajor(uint8(b&63)), model.SquareFromFileMajor(uint8(b>>6))
		q := model.Quotation{WithMoves: true, Moves: []model.Move{model.NewMove(from, to)}}
		payload, _, err := cbh.AppendPayload(nil, q, cbh.CodePage{})
		if err != nil {
			return err
		}
		if got := payload[len(payload)-3]; got != table[b] {
			return fmt.Errorf("byte %02X is written as %02X, the page says %02X", b, got, table[b])
		}
	}
	return nil
}

// judgeBookKey compares key, hash and move bytes of a position.
func judgeBookKey(v vector) error {
	start, err := board.ParseModel(v.text[0])
	if err != nil || len(v.text) != 3 {
		return fmt.Errorf("%d lines, %v", len(v.text), err)
	}
	p, err := board.New(&start)
	if err != nil {
		return err
	}
	key, view := ctg.Encode(&p)
	if got := fmt.Sprintf("%x %08x", key.Bytes(), key.Hash()); got != v.text[1] {
		return fmt.Errorf("key and hash are %s", got)
	}
	var moves []string
	for _, word := range strings.Split(v.text[2], ", ") {
		text, _, _ := strings.Cut(word, " ")
		m, err := p.ParseUCI(text)
		if err != nil {
			return err
		}
		code, ok := ctg.EncodeMove(&p, view, m, ctg.PortableCodes)
		if back, legal := ctg.DecodeMove(&p, view, code); !ok || !legal || back != m {
			return fmt.Errorf("%s is written %t as %02x, and that read as %v", text, ok, code, back)
		}
		moves = append(moves, fmt.Sprintf("%s %02x", text, code))
	}
	return v.says("%s", strings.Join(moves, ", "))
}

func judgeBookEntry(v vector) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	e, rest, err := ctg.CutEntry(b)
	if err != nil || len(rest) > 0 {
		return fmt.Errorf("%d bytes are left, %v", len(rest), err)
	}
	key, s := e.Key(), e.Stats()
	if err := same(ctg.AppendEntry(nil, &key, e.Moves(), &s), nil, b); err != nil {
		return err
	}
	return v.says("key %x, moves %x, games %d, wins %d, losses %d, draws %d, score %d, own ratings %d %d, opponents' %d %d, marks %02x, weight %d, judgement %d",
		key.Bytes(), e.Moves(), s.Games, s.Wins, s.Losses, s.Draws, s.Score, s.OwnGames, s.OwnSum, s.OpponentGames, s.OpponentSum, s.Recommendation, s.Weight, s.Commentary)
}

// judgeSimpleGame runs a record of a .dcg file, with its length, through the
// codecs of a layout.
func judgeSimpleGame(v vector, layout dcdb.Layout) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	n, size := dcdb.DecodeLength(b)
	body := b[size:]
	if int(n) != len(body) {
		return fmt.Errorf("the length says %d, there are %d", n, len(body))
	}
	var d dcdb.Decoder
	var out dcdb.Decoded
	d.Promotions = layout.Promotions()
	if err := d.Decode(body, &out); err != nil {
		return err
	}
	g := model.NewGame()
	g.SetMoves(out.Start, out.Moves)
	g.SetAnnotations(out.Annotations)
	e := dcdb.Encoder{Promotions: layout.Promotions(), Lost: func(model.LossKind, string, string, ...any) {}}
	again, _, err := e.Encode(g)
	if err := same(dcdb.AppendLength(nil, uint32(len(again))), err, b[:size]); err != nil {
		return err
	}
	if err := same(again, nil, body); err != nil {
		return err
	}
	return v.says("%s", lines(&g.Moves))
}

func judgeSimpleEntry(v vector, layout dcdb.Layout) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	e := layout.DecodeEntry(b)
	if err := same(layout.AppendEntry(nil, &e), nil, b); err != nil {
		return err
	}
	return v.says("game at %d, players at %d %d, round %d, site at %d, event at %d, ratings %d %d, %v, %v, %v",
		e.Offset, e.White, e.Black, e.Round, e.Site, e.Event, e.WhiteElo, e.BlackElo, e.GameResult(), e.Opening(), e.Date())
}

// recordJudges are the judges of whole records.
func recordJudges() map[string]func(v vector) error {
	return map[string]func(v vector) error{
		"game-record": judgeGameRecord,
		"text-record": judgeTextRecord,
		"cbj-record":  judgeExtRecord,
		"player": func(v vector) error {
			return judgeEntity(v, &cbh.Players, model.Player.String)
		},
		"tournament": func(v vector) error {
			return judgeEntity(v, &cbh.Tournaments, func(t model.Tournament) string {
				return fmt.Sprintf("%s, %s, %v, %v, nation %v, category %d, complete %t, rounds %d", t.Title, t.Place, t.Start, t.Type.System, t.Nation, t.Category, t.Complete, t.Rounds)
			})
		},
		"book-hash":        judgeBookHash,
		"book-hash table":  judgeHashTable,
		"quotation cipher": judgeQuotationCipher,
		"book-key":         judgeBookKey,
		"book-entry":       judgeBookEntry,
		"simple-game v0":   func(v vector) error { return judgeSimpleGame(v, dcdb.V0) },
		"simple-game v1":   func(v vector) error { return judgeSimpleGame(v, dcdb.V1) },
		"simple-entry v0":  func(v vector) error { return judgeSimpleEntry(v, dcdb.V0) },
	}
}

// decodeHex reads bytes as pages print them.
func decodeHex(text string) ([]byte, error) {
	return hex.DecodeString(strings.ReplaceAll(unfold(text), " ", ""))
}
