// Makedb writes a database of any size for measurements:
//
//	go run ./internal/testkit/bulk/makedb -games 1000000 /tmp/million.cbh
//	go run ./internal/testkit/bulk/makedb -games 10000 -annotated 1 /tmp/annotated.pgn
//
// The ending of the name says the format: .cbh, .2cbh, .si4, .pgn or .jsonl. The same flags
// give the same games.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/gen"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/write"
)

func main() {
	var opt bulk.Options
	flag.IntVar(&opt.Games, "games", 100000, "how many games")
	flag.IntVar(&opt.Annotated, "annotated", 30, "one game in so many has annotations and variations; 0 is none")
	flag.IntVar(&opt.Served, "served", 0, "one game in so many has evaluations and clocks of a server at every move; 0 is none")
	flag.Uint64Var(&opt.Seed, "seed", 1, "another seed, other games")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "makedb: want the name of one file to write, after the flags")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := makeDatabase(ctx, flag.Arg(0), opt); err != nil {
		fmt.Fprintln(os.Stderr, "makedb:", err)
		os.Exit(1)
	}
}

func makeDatabase(ctx context.Context, name string, opt bulk.Options) error {
	src := bulk.New(opt)
	switch ending := strings.ToLower(filepath.Ext(name)); ending {
	case ".cbh":
		sink, err := write.Create(context.Background(), name, write.Options{AcceptLosses: true}) // tournaments of one name in two places
		if err != nil {
			return err
		}
		return model.Copy(ctx, sink, src, model.CopyOptions{})
	case ".si4":
		sink, err := write.CreateScid(ctx, name, write.Options{AcceptLosses: true})
		if err != nil {
			return err
		}
		return model.Copy(ctx, sink, src, model.CopyOptions{})
	case ".2cbh":
		files, err := gen.ChessBase2(ctx, src)
		for part, f := range files {
			if err == nil {
				err = os.WriteFile(strings.TrimSuffix(name, filepath.Ext(name))+filepath.Ext(part), f.Data, 0o666)
			}
		}
		return err
	case ".pgn", ".jsonl":
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		var sink model.Sink = pgn.NewWriter(f, pgn.WriterOptions{AcceptLosses: true})
		if ending == ".jsonl" {
			sink = jsonl.NewWriter(f, jsonl.WriterOptions{AcceptLosses: true})
		}
		if err := model.Copy(ctx, sink, src, model.CopyOptions{}); err != nil {
			f.Close()
			os.Remove(name)
			return err
		}
		return f.Close()
	default:
		return fmt.Errorf("%s: the ending must be .cbh, .2cbh, .si4, .pgn or .jsonl", name)
	}
}
