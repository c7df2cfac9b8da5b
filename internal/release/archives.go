package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// nfpm makes the packages; it is a tool and not in go.mod. Later versions need modules
// that the proxy does not have.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.0"

// file is a file with its name where it is put.
type file struct {
	name, from string
	mode       int64
}

// archive packs the program for a system: .zip for Windows, .tar.gz for others.
func (b *build) archive(program, system string, common []file) error {
	files := append([]file{{filepath.Base(program), program, 0o755}}, common...)
	name := label(system)
	if strings.HasPrefix(name, "windows") {
		return b.zip(name, files)
	}
	var buf bytes.Buffer
	pack := gzip.NewWriter(&buf)
	list := tar.NewWriter(pack)
	for _, f := range files {
		data, err := os.ReadFile(f.from)
		if err != nil {
			return err
		}
		head := &tar.Header{Name: path.Join(b.title(name), f.name), Mode: f.mode, Size: int64(len(data)), ModTime: b.date, Format: tar.FormatUSTAR}
		if err := list.WriteHeader(head); err != nil {
			return err
		}
		if _, err := list.Write(data); err != nil {
			return err
		}
	}
	if err := errors.Join(list.Close(), pack.Close()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.out, b.title(name)+".tar.gz"), buf.Bytes(), 0o666)
}

// label is a system in names of files.
func label(system string) string {
	return strings.NewReplacer("darwin", "macos", "/", "-").Replace(system)
}

// title is the name of an archive without its ending, and of the folder in it.
func (b *build) title(name string) string { return "cbkit-" + b.version + "-" + name }

// zip packs files as .zip.
func (b *build) zip(name string, files []file) error {
	var buf bytes.Buffer
	list := zip.NewWriter(&buf)
	for _, f := range files {
		data, err := os.ReadFile(f.from)
		if err != nil {
			return err
		}
		head := &zip.FileHeader{Name: path.Join(b.title(name), f.name), Method: zip.Deflate, Modified: b.date}
		head.SetMode(os.FileMode(f.mode))
		w, err := list.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	if err := list.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.out, b.title(name)+".zip"), buf.Bytes(), 0o666)
}

// content is a file of a package, as nfpm wants it.
type content struct {
	From     string         `json:"src"`
	To       string         `json:"dst"`
	Packager string         `json:"packager,omitempty"`
	Info     map[string]any `json:"file_info"`
}

// packages makes the packages for Debian and for RPM systems.
func (b *build) packages(program, arch string, common []file) error {
	var list []content
	add := func(from, to, packager string, mode int64) {
		list = append(list, content{from, to, packager, map[string]any{"mode": mode, "mtime": b.date, "owner": "root", "group": "root"}})
	}
	add(program, "/usr/bin/cbkit", "", 0o755)
	for _, f := range common {
		switch base := path.Base(f.name); path.Dir(f.name) {
		case "man":
			page, err := os.ReadFile(f.from)
			if err != nil {
				return err
			}
			var buf bytes.Buffer
			pack := gzip.NewWriter(&buf)
			_, err = pack.Write(page)
			packed := f.from + ".gz"
			if err := errors.Join(err, pack.Close(), os.WriteFile(packed, buf.Bytes(), 0o666)); err != nil {
				return err
			}
			add(packed, "/usr/share/man/man1/"+base+".gz", "", f.mode)
		case "completions":
			switch base {
			case "_cbkit":
				add(f.from, "/usr/share/zsh/vendor-completions/_cbkit", "deb", f.mode)
				add(f.from, "/usr/share/zsh/site-functions/_cbkit", "rpm", f.mode)
			case "cbkit.fish":
				add(f.from, "/usr/share/fish/vendor_completions.d/cbkit.fish", "", f.mode)
			default:
				add(f.from, "/usr/share/bash-completion/completions/cbkit", "", f.mode)
			}
		default:
			if f.name == "LICENSE" {
				add(f.from, "/usr/share/doc/cbkit/copyright", "deb", f.mode)
				add(f.from, "/usr/share/licenses/cbkit/LICENSE", "rpm", f.mode)
				continue
			}
			add(f.from, "/usr/share/doc/cbkit/"+base, "", f.mode)
		}
	}
	// JSON is YAML, which nfpm reads.
	config, err := json.Marshal(map[string]any{
		"name": "cbkit", "arch": arch, "platform": "linux", "version": b.version, "version_schema": "semver", "section": "utils", "priority": "optional",
		"maintainer": "The cbkit authors <cbkit@localhost>", "description": "Read, write, edit and mend chess databases\nChessBase databases and books, Simple Chess Databases, PGN and JSON Lines.",
		"license": "MIT", "mtime": b.date, "contents": list, "rpm": map[string]any{"buildhost": "localhost"},
	})
	if err != nil {
		return err
	}
	settings := filepath.Join(b.work, "nfpm-"+arch+".yaml")
	if err := os.WriteFile(settings, config, 0o666); err != nil {
		return err
	}
	for _, kind := range []string{"deb", "rpm"} {
		if _, err := b.run(nil, "go", "run", nfpm, "package", "-f", settings, "-p", kind, "-t", b.out); err != nil {
			return err
		}
	}
	return nil
}

// sums returns the lines of SHA256SUMS for the other files in a folder.
func sums(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, e := range entries {
		if e.Name() == "SHA256SUMS" {
			continue
		}
		f, err := os.Open(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		sum := sha256.New()
		_, err = io.Copy(sum, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%x  %s\n", sum.Sum(nil), e.Name())
	}
	return b.String(), nil
}
