package board_test

import (
	"os"
	"testing"

	"cbkit/internal/testkit/roomy"
)

func TestMain(m *testing.M) { os.Exit(roomy.Run(m)) }
