// Command convert converts all databases of a folder into ChessBase databases in another
// one, with progress. Ctrl-C ends it; what is complete by then stays, and nothing else.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"cbkit"
	"cbkit/model"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, from, to string) error {
	names, err := filepath.Glob(filepath.Join(from, "*.pgn"))
	if err != nil {
		return err
	}
	for _, name := range names {
		base := strings.TrimSuffix(filepath.Base(name), ".pgn")
		switch err := convert(ctx, name, filepath.Join(to, base+".cbh")); {
		case errors.Is(err, fs.ErrExist):
			fmt.Println(base, "is there already")
		case err != nil:
			return err
		}
	}
	return nil
}

func convert(ctx context.Context, name, target string) error {
	src, err := cbkit.Open(name, cbkit.Options{GuessCodePage: true})
	if err != nil {
		return err
	}
	defer src.Close()
	losses := 0
	err = cbkit.Save(ctx, target, src, cbkit.SaveOptions{
		Report:  func(model.Loss) { losses++ },
		OnError: func(_ model.RecordID, err error) error { fmt.Println("left out:", err); return ctx.Err() },
		Progress: func(id model.RecordID) {
			if done, total := src.Progress(); id%1000 == 0 {
				fmt.Println(id, "games,", done, "of", total, "bytes")
			}
		},
	})
	if err == nil {
		fmt.Println(filepath.Base(target), losses, "losses")
	}
	return err
}
