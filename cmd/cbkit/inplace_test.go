package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// A machine can tell work that failed from work that is in place although something
// failed behind it.
func TestInPlace(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{errors.New("input/output error"), false},
		{fmt.Errorf("Games.pgn: %w: input/output error", model.ErrUncertain), true},
		{targetError("Games.cbh", fmt.Errorf("%w, but search boosters are missing", model.ErrCommitted)), true},
		{nil, false},
	} {
		var out bytes.Buffer
		env := &environment{ctx: context.Background(), stdout: &out, stderr: &out, messages: messages{outcome: &outcome{}}}
		must.Do(t, env.printOutcome(exitFailed, c.err))
		var got struct {
			InPlace bool `json:"inPlace"`
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.InPlace != c.want {
			t.Errorf("%v: %s, %v", c.err, &out, err)
		}
	}
}

// A database has many files and is not made in the place of a device.
func TestNoDatabaseInDevices(t *testing.T) {
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Skip("no device here: ", err)
	}
	if to, err := parseTarget(os.DevNull, formatChessBase, formatPGN); err == nil || !strings.Contains(err.Error(), "is a device or a pipe") {
		t.Errorf("%+v, %v", to, err)
	}
}
