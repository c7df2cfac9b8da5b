package cbh_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"cbkit/archive"
)

// memory is a file in memory.
type memory struct{ data []byte }

// WriteAt implements io.WriterAt.
func (m *memory) WriteAt(p []byte, at int64) (int, error) {
	if end := int(at) + len(p); end > len(m.data) {
		m.data = append(m.data, make([]byte, end-len(m.data))...)
	}
	return copy(m.data[at:], p), nil
}

// packed returns an archive of one file.
func packed(name string, modified time.Time, content []byte, opt archive.WriterOptions) ([]byte, error) {
	var to memory
	_, err := archive.Write(context.Background(), &to, []archive.File{{
		Name: name, Modified: modified, Size: int64(len(content)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
	}}, opt)
	return to.data, err
}

// unpacked returns the only file of an archive and how its only block is packed.
func unpacked(b []byte, opt archive.Options) (m archive.Member, mode archive.Mode, content []byte, err error) {
	a, err := archive.NewReader(bytes.NewReader(b), int64(len(b)), "page", opt)
	if err != nil {
		return m, 0, nil, err
	}
	for block, err := range a.Blocks(context.Background()) {
		if err != nil {
			return m, 0, nil, err
		}
		mode, content = block.Mode, append(content, block.Data...)
	}
	return a.Members()[0], mode, content, nil
}

// judgeArchive runs an archive of one file through the package, both ways.
func judgeArchive(v vector, password []byte) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	m, _, content, err := unpacked(b, archive.Options{Password: password})
	if err != nil {
		return err
	}
	modified, _ := m.Stamp.In(time.UTC)
	again, err := packed(m.Name, modified, content, archive.WriterOptions{Password: password})
	if err := same(again, err, b); err != nil {
		return err
	}
	return v.says("%s, changed %s, stream of %d bytes at %d, content %q", m.Name, modified.Format("2006-01-02 15:04:05.00"), m.Packed, m.Offset, content)
}

// judgeArchiveBlock packs what the second line prints, bytes or a quoted text that
// may be repeated, and unpacks it again.
func judgeArchiveBlock(v vector) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	content, err := decodeHex(v.text[1])
	if strings.HasPrefix(v.text[1], `"`) {
		quoted, times, repeated := strings.Cut(v.text[1], " x ")
		n := 1
		if repeated {
			n, _ = strconv.Atoi(times)
		}
		var text string
		text, err = strconv.Unquote(quoted)
		content = []byte(strings.Repeat(text, n))
	}
	if err != nil {
		return fmt.Errorf("its content: %w", err)
	}
	whole, err := packed("x", time.Time{}, content, archive.WriterOptions{})
	if err != nil {
		return err
	}
	m, mode, back, err := unpacked(whole, archive.Options{})
	if err := same(back, err, content); err != nil {
		return err
	}
	if err := same(whole[m.Offset:], nil, b); err != nil {
		return err
	}
	return v.says("%d bytes, %v", len(content), mode)
}

// archiveJudges are the judges of archives and their blocks.
func archiveJudges() map[string]func(v vector) error {
	return map[string]func(v vector) error{
		"archive":              func(v vector) error { return judgeArchive(v, nil) },
		"archive with sesame7": func(v vector) error { return judgeArchive(v, []byte("sesame7")) },
		"archive-block":        judgeArchiveBlock,
	}
}
