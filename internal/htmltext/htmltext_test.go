package htmltext

import "testing"

func TestOf(t *testing.T) {
	const page = "<html><head><title>x</title><style>p {}</style></head><body><h1>A &amp; B</h1>\n<p>one\n  <b>t</b>wo<br>three</p>" +
		"<ul><li>a<li>b</ul><table><tr><td>1<td>2</table><script>no()</script>end"
	if got, want := Of(page), "A & B\none two\nthree\n- a\n- b\n1 2\nend"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
