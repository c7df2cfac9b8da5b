package check_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"cbkit/check"
)

// exampleDatabase writes a small database with a wrong counter.
func exampleDatabase(dir string) (path string) {
	path = filepath.Join(dir, "games.cbh")
	if err := writeSample(path, sampleDatabase()); err != nil {
		panic(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	b[3*46+45]++ // the move count of the third game
	if err := os.WriteFile(path, b, 0o600); err != nil {
		panic(err)
	}
	return path
}

func ExampleCheck_Report() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := exampleDatabase(dir)

	made := check.Database(context.Background(), path, check.Options{Verify: true})
	for f, err := range made.Findings() {
		if err != nil {
			panic(err)
		}
		fmt.Printf("%v: %v\n", f.Severity, f)
	}
	summary, err := made.Summary()
	if err != nil {
		panic(err)
	}
	report, err := made.Report()
	if err != nil {
		panic(err)
	}
	fmt.Println(summary.Errors, "error;", report.Different(), "records that do not come back")
	// Output:
	// error: games.cbh: record 3 (move count): is 4, the main line has 3
	// 1 error; 0 records that do not come back
}

// What would make findings true is data; write.Repair puts it into the files.
func ExampleFix() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := exampleDatabase(dir)

	show := func(e check.Edit) {
		fmt.Printf("%s: in the place of the byte at %d put % x\n", e.File, e.At, e.New)
	}
	for f, err := range check.Database(context.Background(), path, check.Options{Fixes: true}).Findings() {
		if err != nil {
			panic(err)
		}
		if f.Fix != nil {
			fmt.Println(f)
			for e := range f.Fix.Edits() {
				show(e)
			}
		}
	}
	// Output:
	// games.cbh: record 3 (move count): 04, now 03
	// games.cbh: in the place of the byte at 183 put 03
}

func ExampleDatabase() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := exampleDatabase(dir)

	made := check.Database(context.Background(), path, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		fmt.Printf("%v: %v\n", f.Severity, f)
	}
	summary, err := made.Summary()
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(summary.Records, "records,", summary.Errors, "errors")
	// Output:
	// error: games.cbh: record 3 (move count): is 4, the main line has 3
	// 12 records, 1 errors
}

func ExampleVerify() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := exampleDatabase(dir)

	report, err := check.Verify(context.Background(), path, check.Options{Files: []string{"cbg", "cba"}})
	if err != nil {
		fmt.Println(err)
	}
	for _, f := range report.Files {
		fmt.Printf("%s: %d records, %d bytes, %d exact\n", f.File, f.Records, f.Bytes, f.Exact)
	}
	fmt.Println("different:", report.Different())
	// Output:
	// games.cbg: 13 records, 997 bytes, 13 exact
	// games.cba: 32 records, 464 bytes, 32 exact
	// different: 0
}

func ExampleFinding() {
	f := check.Finding{
		Code: "reference-count", Severity: check.Error, File: "games.cbp",
		Record: 17, Offset: 1139, Field: "count", Message: "counts 3 references, there are 2",
	}
	fmt.Println(f)
	b, err := json.Marshal(f)
	fmt.Println(string(b), err)
	// Output:
	// games.cbp: record 17 (count): counts 3 references, there are 2
	// {"code":"reference-count","severity":"error","file":"games.cbp","record":17,"offset":1139,"field":"count","message":"counts 3 references, there are 2"} <nil>
}

func ExampleCodes() {
	for _, c := range check.Codes()[:3] {
		fmt.Printf("%-21s %-5v %-9s %s\n", c.Code, c.Severity, c.Ruling, c.Meaning)
	}
	// Output:
	// missing-file          error named     a file that every database must have is not there
	// missing-optional-file note  harmless  records refer to the entities or media lists of an optional file that is not there
	// unreadable-file       error structure the file cannot be opened
}

// What a repair makes true and from what, and what it leaves alone and why.
func ExampleCode_Repair() {
	for _, c := range check.Codes() {
		switch by, unless := c.Repair(); c.Code {
		case "live-count", "unreadable-file":
			fmt.Printf("%s: by %q, unless %q\n", c.Code, by, unless)
		}
	}
	// Output:
	// unreadable-file: by "", unless "what cannot be opened cannot be changed"
	// live-count: by "the live records", unless "the file is cut, or records do not stand at their ids and nothing proves which do"
}
