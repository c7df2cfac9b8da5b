package cbh

import (
	"strings"

	"cbkit/model"
)

// lost reports an annotation that is not written.
func (w *annotationWriter) lost(a model.Annotation, format string, args ...any) {
	w.tell(model.LostAnnotation, a, format, args...)
}

// changed reports an annotation that is written in another form.
func (w *annotationWriter) changed(a model.Annotation, format string, args ...any) {
	w.tell(model.Changed, a, format, args...)
}

func (w *annotationWriter) tell(kind model.LossKind, a model.Annotation, format string, args ...any) {
	w.report.Add(kind, w.ctx.Game, string(a.Value.Kind()), format, args...)
}

// explain reports in what a value as it was written, and reads back, differs
// from the one that was to be written.
func (w *annotationWriter) explain(a model.Annotation, got model.Value) {
	if got.Equal(a.Value) || isOpaque(a.Value) {
		return
	}
	switch v := a.Value.(type) {
	case model.Text:
		w.explainText(a, v, got)
	case model.Symbols:
		w.explainSymbols(a, v)
	case model.Quotation:
		w.explainQuotation(a, v, got)
	case model.WebLink:
		g, _ := got.(model.WebLink)
		w.explainString(a, v.URL, g.URL)
		w.explainString(a, v.Caption, g.Caption)
	case model.Training:
		w.changed(a, "a language without a number in training questions became any language")
	default:
		w.changed(a, "a value outside its range was written as another")
	}
}

func (w *annotationWriter) explainString(a model.Annotation, want, got string) {
	explainString(w.report, w.ctx.Game, string(a.Value.Kind()), want, got)
}

func (w *annotationWriter) explainText(a model.Annotation, v model.Text, got model.Value) {
	g, _ := got.(model.Text)
	if g.Language != v.Language {
		w.changed(a, "language %s became any language", v.Language)
	}
	w.explainString(a, v.Text, g.Text)
}

// explainString reports a difference between a string and what reads back.
func explainString(report model.Report, record model.RecordID, field, want, got string) {
	switch {
	case got == want:
	case strings.HasPrefix(want, got):
		report.Add(model.LostTextEnd, record, field, "cut to %d of %d bytes: %.40q", len(got), len(want), want)
	default:
		report.Add(model.Changed, record, field, "bytes that are not UTF-8, or line ends, have another form: %.40q", want)
	}
}

func (w *annotationWriter) explainSymbols(a model.Annotation, v model.Symbols) {
	for _, n := range []model.NAG{v.Prefix, v.Move, v.Position} {
		if stored := foldNAG(n); stored != n {
			w.changed(a, "$%d became $%d", n, stored)
		}
	}
	for _, n := range v.More {
		w.lost(a, "$%d: its place among the symbols is taken", n)
	}
}

func (w *annotationWriter) explainQuotation(a model.Annotation, v model.Quotation, got model.Value) {
	g, _ := got.(model.Quotation)
	w.explainString(a, v.White, g.White)
	w.explainString(a, v.Black, g.Black)
	w.explainString(a, v.Event, g.Event)
	w.explainString(a, v.Site, g.Site)
	g.White, g.Black, g.Event, g.Site = v.White, v.Black, v.Event, v.Site
	if !g.Equal(v) {
		w.changed(a, "the date, the starting position or a move of the game %s - %s has another form here", v.White, v.Black)
	}
}
