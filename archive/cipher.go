package archive

import (
	"crypto/cipher"
	"crypto/des"
	"errors"
	"io"
)

// cipherSize is the size of a cipher block, in bytes.
const cipherSize = des.BlockSize

// ErrPassword: the password is not that of the archive, or the file is none.
var ErrPassword = errors.New("wrong password, or not an archive")

// ErrEnciphered: the archive needs a password.
var ErrEnciphered = errors.New("enciphered: it needs its password")

// newCipher returns the cipher for a password: DES with a key of its bytes
// (docs/formats/cbv.md 7).
func newCipher(password []byte) (cipher.Block, error) {
	if len(password) == 0 {
		return nil, errors.New("a password has at least one character")
	}
	return des.NewCipher(key(password))
}

// key makes the key: a short password again and again, a long one folded.
func key(password []byte) []byte {
	key := make([]byte, cipherSize)
	if len(password) <= cipherSize {
		for i := range key {
			key[i] = password[i%len(password)]
		}
		return key
	}
	for i, c := range password {
		key[i%cipherSize] = key[i%cipherSize]<<1 ^ c
	}
	return key
}

// eachBlock enciphers or deciphers whole cipher blocks in place.
func eachBlock(crypt func(dst, src []byte), b []byte) {
	for ; len(b) >= cipherSize; b = b[cipherSize:] {
		crypt(b, b)
	}
}

// decipher is the content of an enciphered file.
type decipher struct {
	from  io.ReaderAt
	block cipher.Block
}

// ReadAt implements [io.ReaderAt].
func (d *decipher) ReadAt(p []byte, offset int64) (int, error) {
	skip := int(offset % cipherSize)
	whole := make([]byte, (skip+len(p)+cipherSize-1)/cipherSize*cipherSize)
	n, err := d.from.ReadAt(whole, offset-int64(skip))
	eachBlock(d.block.Decrypt, whole[:n])
	n = max(n-n%cipherSize-skip, 0)
	n = copy(p, whole[skip:skip+n])
	if n == len(p) {
		err = nil
	}
	return n, err
}
