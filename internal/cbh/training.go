package cbh

import (
	"encoding/binary"
	"math"

	"cbkit/internal/wire"
	"cbkit/model"
)

// A training question, type 09 (docs/formats/cba.md 6), is little-endian:
//
//	01 00 variant | u16 size of the rest, these two bytes included
//	u32 seconds | u16 points | four lists: question, reply to a wrong move,
//	first hint, second hint | u8 number of solutions
//	per solution: u8 from | u8 to | u8 0 | u8 points | list: reply
//
// A list is u16 number of texts, and for each u16 language, u16 size, bytes.
// Only variant 1 is understood. Squares count from 0, file by file.
const (
	trainingVariant  = 1
	trainingHeadSize = 3
)

func decodeTraining(p []byte, page CodePage) model.Value {
	c := wire.NewCursor(p)
	known := c.U8() == 1 && c.U8() == 0 && c.U8() == trainingVariant
	if size := c.U16LE(); !known || int(size) != len(p)-trainingHeadSize {
		return nil
	}
	t := model.Training{Seconds: c.U32LE(), Points: c.U16LE()}
	for _, list := range []*[]model.TrainingText{&t.Question, &t.WrongReply, &t.FirstHint, &t.SecondHint} {
		*list = trainingTexts(&c, page)
	}
	for n := c.U8(); n > 0 && c.Err() == nil; n-- {
		from, to := c.U8(), c.U8()
		if from > 63 || to > 63 {
			return nil
		}
		t.Solutions = append(t.Solutions, model.Solution{
			From: model.SquareFromFileMajor(from), To: model.SquareFromFileMajor(to),
			Promotion: c.U8(), Points: c.U8(), Reply: trainingTexts(&c, page),
		})
	}
	if c.Err() != nil || c.Len() != 0 {
		return nil
	}
	return t
}

func trainingTexts(c *wire.Cursor, page CodePage) []model.TrainingText {
	var list []model.TrainingText
	for n := c.U16LE(); n > 0 && c.Err() == nil; n-- {
		language, ok := unpackGuideLanguage(c.U16LE())
		if !ok {
			c.Fail("", model.ErrUnsupported)
		}
		text := c.Bytes(int(c.U16LE()))
		list = append(list, model.TrainingText{Language: language, Text: page.DecodeSymbols(text)})
	}
	return list
}

// appendTraining returns false if a text or a number of solutions is too large
// for its field.
func appendTraining(dst []byte, t model.Training, page CodePage) (out []byte, ok bool) {
	ok = len(t.Solutions) <= math.MaxUint8
	texts := func(list []model.TrainingText) {
		ok = ok && len(list) <= math.MaxUint16
		out = wire.AppendU16LE(out, uint16(len(list)))
		for _, text := range list {
			b := page.EncodeSymbols(text.Text)
			ok = ok && len(b) <= math.MaxUint16
			language, _ := packGuideLanguage(text.Language)
			out = wire.AppendU16LE(out, language)
			out = wire.AppendU16LE(out, uint16(len(b)))
			out = append(out, b...)
		}
	}
	out = append(dst, 1, 0, trainingVariant, 0, 0)
	out = wire.AppendU32LE(out, t.Seconds)
	out = wire.AppendU16LE(out, t.Points)
	texts(t.Question)
	texts(t.WrongReply)
	texts(t.FirstHint)
	texts(t.SecondHint)
	out = append(out, uint8(len(t.Solutions)))
	for _, s := range t.Solutions {
		out = append(out, s.From.FileMajor(), s.To.FileMajor(), s.Promotion, s.Points)
		texts(s.Reply)
	}
	size := len(out) - len(dst) - trainingHeadSize
	binary.LittleEndian.PutUint16(out[len(dst)+trainingHeadSize:], uint16(size))
	return out, ok
}
