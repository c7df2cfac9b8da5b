package booster

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// sealed is a database with a seal.
func sealed(t testing.TB) folder {
	t.Helper()
	f := saved(t, map[string][]byte{".cbh": []byte("headers"), ".cbg": []byte("moves"), ".cbb": []byte("traces")})
	seal, err := Sums(f, SealedFiles)
	if err == nil {
		err = os.WriteFile(f.Path(SealExt), seal.Append(nil), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSealFormat(t *testing.T) {
	// The check value of CRC-32C.
	f := saved(t, map[string][]byte{".cbb": []byte("123456789")})
	seal, err := Sums(f, SealedFiles)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(seal.Append(nil)), "cbkit seal 1\n.cbb 9 e3069283\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A seal fits the files it was made for, and nothing else.
func TestCheckSeal(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(f folder) error
		want string
	}{
		"sound":       {func(folder) error { return nil }, ""},
		"no seal":     {func(f folder) error { return os.Remove(f.Path(SealExt)) }, "there is no db.cbkit"},
		"no traces":   {func(f folder) error { return os.Remove(f.Path(".cbb")) }, "db.cbb has come or gone"},
		"new file":    {func(f folder) error { return os.WriteFile(f.Path(".cbj"), nil, 0o644) }, "db.cbj has come or gone"},
		"longer":      {func(f folder) error { return os.WriteFile(f.Path(".cbg"), []byte("moves!"), 0o644) }, "db.cbg has changed"},
		"other moves": {func(f folder) error { return os.WriteFile(f.Path(".cbg"), []byte("moveS"), 0o644) }, "db.cbg has changed"},
		"garbage":     {func(f folder) error { return os.WriteFile(f.Path(SealExt), []byte("garbage"), 0o644) }, "the content is no seal"},
		"cut":         {func(f folder) error { return os.Truncate(f.Path(SealExt), 20) }, "line"},
		"empty seal":  {func(f folder) error { return os.WriteFile(f.Path(SealExt), []byte(sealTitle), 0o644) }, "has come or gone"},
		"too long": {func(f folder) error {
			return os.WriteFile(f.Path(SealExt), []byte(sealTitle+strings.Repeat("x", maxSeal)), 0o644)
		}, "the content is no seal"},
	} {
		f := sealed(t)
		if err := c.do(f); err != nil {
			t.Fatal(err)
		}
		err := CheckSeal(f)
		if (err == nil) != (c.want == "") || err != nil && (!errors.Is(err, ErrNoSeal) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzSeal: what is read is written again.
func FuzzSeal(f *testing.F) {
	f.Add([]byte(sealTitle + ".cbh 7 4c957ca4\n.cbg 0 00000000\n"))
	f.Add([]byte(sealTitle))
	f.Fuzz(func(t *testing.T, b []byte) {
		seal, err := ParseSeal(b)
		if err != nil {
			return
		}
		again, err := ParseSeal(seal.Append(nil))
		if err != nil || len(again) != len(seal) {
			t.Fatalf("%q became %v, then %v, %v", b, seal, again, err)
		}
	})
}
