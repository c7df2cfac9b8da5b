package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"

	"github.com/alecthomas/kong"

	lib "cbkit"
)

// Arguments of verbs that are read have the tag zip: "reads" if all of them are,
// "sources" if the last of several is what is made. Zips among them are replaced by what
// is in them before the verb runs, so that no verb knows of zips.

// unzip replaces the zips among the arguments of a verb.
func (env *environment) unzip(verb *kong.Node) error {
	for _, arg := range verb.Positional {
		role, rest := arg.Tag.Get("zip"), []string(nil)
		words, isList := arg.Target.Interface().([]string)
		if !isList && arg.Target.Kind() == reflect.String {
			words = []string{arg.Target.String()}
		}
		if last := len(words) - 1; role == "sources" && last > 0 {
			words, rest = words[:last], words[last:]
		}
		var list []string
		for _, word := range words {
			names, err := env.unzipped.open(env.ctx, word, role)
			if err != nil {
				return err
			}
			list = append(list, names...)
		}
		if isList {
			arg.Target.Set(reflect.ValueOf(append(list, rest...)))
		} else if len(list) == 1 { // else texts that are read together, by the name of the zip
			arg.Target.SetString(list[0])
		}
	}
	return nil
}

// unzipped are the zips whose content the verb reads.
type unzipped struct{ all []*lib.Unzipped }

// open returns the names of what is in a zip, and any other name as it is.
func (u *unzipped) open(ctx context.Context, word, role string) ([]string, error) {
	if !lib.IsZip(word) {
		return []string{word}, nil
	}
	if role == "" {
		return nil, usageError{fmt.Errorf("%s: is a zip, which is read but not written; unpack it, or name another file", word)}
	}
	zip, err := lib.Unzip(ctx, word)
	if err != nil {
		return nil, err
	}
	if zip.Folder != "" && len(brokenPipe) > 0 {
		signal.Notify(make(chan os.Signal, 1), brokenPipe...) // which would end the program, and leave the folder
	}
	u.all = append(u.all, zip)
	return zip.Names, nil
}

// refuseChange returns an error if there is anything in zips among the arguments: it is
// not changed.
func (u *unzipped) refuseChange() error {
	if len(u.all) == 0 {
		return nil
	}
	return usageError{fmt.Errorf("%s: is a zip, of which nothing is changed; unpack it first", u.all[0].Zip)}
}

// close removes what was unpacked.
func (u *unzipped) close() (err error) {
	for _, zip := range u.all {
		err = errors.Join(err, zip.Close())
	}
	return err
}

// named returns text in which files in temporary folders are called as people know
// them: "TWIC.zip:Games.cbh". Names stand there in a form.
func (u *unzipped) named(text []byte, form func(name string) []byte) []byte {
	if u == nil {
		return text
	}
	for _, zip := range u.all {
		if zip.Folder != "" {
			text = bytes.ReplaceAll(text, form(zip.Folder+string(filepath.Separator)), form(zip.Zip+":"))
		}
	}
	return text
}
