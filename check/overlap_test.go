package check_test

import "testing"

// TestOverlapOfOneByte: a record that begins with the last byte of the one
// before it is inside it, one that begins right behind it is not.
func TestOverlapOfOneByte(t *testing.T) {
	testFaults(t, []fault{
		{"a record that is one byte too long", func(d *damaged) {
			at := d.place(".cbg", twinOne)
			d.put(".cbg", at+3, d.files[".cbg"][at+3]+1)
		}, []string{"note .cbg 9 move-trailer", "error .cbg 10 overlap"}},
	})
}
