package moveenc_test

import (
	"encoding/hex"
	"fmt"

	"cbkit/moveenc"
)

// The form of a record is bytes in a leftover, and typed again for encoding.
func ExampleDecodeForm() {
	rec, _ := hex.DecodeString("00000007FFA00D") // 1.e4 with a dummy byte
	var g moveenc.Game
	if err := moveenc.Decode(rec, &g); err != nil {
		fmt.Println(err)
		return
	}
	form, err := moveenc.DecodeForm(moveenc.AppendForm(nil, &g.Form))
	if err != nil {
		fmt.Println(err)
		return
	}
	again, err := moveenc.Append(nil, g.SetUp(), &g.Moves, &form)
	fmt.Printf("%v %X %v\n", form.Dummies, again, err)
	// Output: [1] 00000007FFA00D <nil>
}
