package cbh

import (
	"math/rand/v2"
	"strings"
	"testing"

	"cbkit/model"
)

// benchmarkList returns annotations in about the mixture of real games.
func benchmarkList() []model.Annotation {
	words := strings.Fields("Black cannot keep the pawn because of the threat on the long diagonal \uE027b7 \u00fcber \uE00Df5")
	r := rand.New(rand.NewPCG(1, 2))
	var list []model.Annotation
	for node := range int32(200) {
		add := func(v model.Value) { list = append(list, model.Annotation{Node: node, Value: v}) }
		if node%2 == 0 {
			var text []string
			for range 5 + r.IntN(20) {
				text = append(text, words[r.IntN(len(words))])
			}
			add(model.Text{Language: model.English, Text: strings.Join(text, " ")})
		}
		if node%3 != 0 {
			add(model.Symbols{Move: 1, Position: 16})
		}
		if node%20 == 0 {
			add(model.Arrows{{Color: model.Green, From: model.E2, To: model.E4}})
		}
	}
	return list
}

func reportAnnotations(b *testing.B, perRound int) {
	b.ReportMetric(float64(b.N)*float64(perRound)/b.Elapsed().Seconds(), "annotations/s")
}

func BenchmarkDecodeAnnotations(b *testing.B) {
	list := benchmarkList()
	rec := AppendAnnotations(nil, list, nil, AnnotationContext{Game: 1}, nil)
	for name, raw := range map[string]bool{"values": false, "raw": true} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(rec)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := DecodeAnnotations(rec, AnnotationContext{Game: 1}, raw); err != nil {
					b.Fatal(err)
				}
			}
			reportAnnotations(b, len(list))
		})
	}
}

func BenchmarkAppendAnnotations(b *testing.B) {
	list := benchmarkList()
	losses := 0
	report := func(model.Loss) { losses++ }
	var rec []byte
	b.ReportAllocs()
	for b.Loop() {
		rec = AppendAnnotations(rec[:0], list, nil, AnnotationContext{Game: 1}, report)
	}
	b.SetBytes(int64(len(rec)))
	if losses != 0 {
		b.Fatalf("%d losses", losses)
	}
	reportAnnotations(b, len(list))
}

func BenchmarkFactsOf(b *testing.B) {
	list := benchmarkList()
	rec := AppendAnnotations(nil, list, nil, AnnotationContext{Game: 1}, nil)
	for b.Loop() {
		if FactsOf(rec).Count != len(list) {
			b.Fatal("wrong count")
		}
	}
	reportAnnotations(b, len(list))
}
