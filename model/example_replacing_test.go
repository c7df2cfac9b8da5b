package model_test

import (
	"errors"
	"fmt"
	"io/fs"

	"cbkit/model"
)

// The error of a target that exists tells the file that is in the way.
func ExampleExistsError() {
	var err error = &model.ExistsError{Path: "Games.cbp", Main: "Games.cbh", Orphan: true}
	var exists *model.ExistsError
	if errors.Is(err, fs.ErrExist) && errors.As(err, &exists) {
		fmt.Println(exists.Path)
	}
	fmt.Println(err)
	// Output:
	// Games.cbp
	// Games.cbp: file already exists, without Games.cbh: force its replacement, or choose another name
}

func ExampleRecovery() {
	r := model.Recovery{Outcome: model.RecoveryCompleted, Cleared: []string{"Games.cbh.cbkit-lock"}}
	fmt.Println(r)
	// Output: the replacement was completed; the new files are in place; cleared Games.cbh.cbkit-lock
}
