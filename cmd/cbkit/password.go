package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	lib "cbkit"
	"cbkit/archive"

	"golang.org/x/term"
)

// passwordFlag is the flag of every verb that meets an archive.
type passwordFlag struct {
	PasswordFile string `help:"File whose first line is the password of a .cbz archive; else the variable CBKIT_PASSWORD has it, or it is asked for." placeholder:"FILE"`
}

// passwordVariable is the environment variable with the password.
const passwordVariable = "CBKIT_PASSWORD"

// maxPassword is the longest password that is read from a file, in bytes.
const maxPassword = 1 << 16

// given returns the password that the user has given without being asked, nil for
// none. Its bytes are used as they are.
func (f passwordFlag) given() ([]byte, error) {
	if f.PasswordFile == "" {
		if password := os.Getenv(passwordVariable); password != "" {
			return []byte(password), nil
		}
		return nil, nil
	}
	file, err := os.Open(f.PasswordFile)
	if err != nil {
		return nil, plainError(err)
	}
	defer file.Close()
	line, err := bufio.NewReader(io.LimitReader(file, maxPassword)).ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, plainError(err)
	}
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	switch {
	case len(line) == 0:
		return nil, usageError{fmt.Errorf("%s: the first line, which is the password, is empty", f.PasswordFile)}
	case len(line) >= maxPassword-1:
		return nil, usageError{fmt.Errorf("%s: the first line is too long for a password", f.PasswordFile)}
	}
	return line, nil
}

// passwordIf returns the password that is given if one may be needed.
func (f passwordFlag) passwordIf(needed bool) ([]byte, error) {
	if !needed {
		return nil, nil
	}
	return f.given()
}

// askPassword asks for the password of an archive on the terminal, without echo.
func (env *environment) askPassword(name string) ([]byte, error) {
	terminal, ok := env.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		return nil, fmt.Errorf("%s: is enciphered: give its password with --password-file, or in %s", name, passwordVariable)
	}
	fmt.Fprintf(env.stderr, "Password of %s: ", name)
	password, err := env.readHidden(int(terminal.Fd()))
	fmt.Fprintln(env.stderr)
	if err == nil && len(password) == 0 {
		err = fmt.Errorf("%s: no password was given", name)
	}
	return password, err
}

// readHidden reads a line without echo. An interruption gives the terminal its
// echo back.
func (env *environment) readHidden(terminal int) ([]byte, error) {
	before, err := term.GetState(terminal)
	if err != nil {
		return nil, err
	}
	line, err := waitFor(env.ctx, func() ([]byte, error) { return term.ReadPassword(terminal) })
	if errors.Is(err, context.Canceled) {
		err = errors.Join(err, term.Restore(terminal, before))
	}
	return line, err
}

// openArchive opens an archive, with the password that is given, or that is asked
// for where one is needed.
func (env *environment) openArchive(file string, flag passwordFlag, page codePage, jobs count, keepGoing bool) (*archive.Archive, error) {
	password, err := flag.given()
	if err != nil {
		return nil, err
	}
	return lib.OpenArchive(file, lib.Options{
		CodePage: string(page), Jobs: int(jobs), KeepGoing: keepGoing, Password: password, AskPassword: env.askPassword,
	})
}
