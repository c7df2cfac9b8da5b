// Package archive reads and writes the archives in which ChessBase databases
// travel: .cbv, and .cbz, which is the same enciphered.
//
// # Layout
//
// All numbers are little-endian but where it says otherwise
// (docs/formats/cbv.md has the facts, and where they are from):
//
//	header, 8 bytes
//	  0  u16   8
//	  2  u16   number of files
//	  4  u16   size of a record of the table: 173, in old archives 149
//	  6  u16   3
//	table, a record for each file
//	  0  128   name, in Windows-1252, up to a zero; "\" between folders
//	  128 u32  offset of its stream in the archive
//	  132 u32  size of the stream
//	  136 u32  size of the file
//	  140 u8   1
//	  141 u32  date, decimal yyyymmdd
//	  145 u32  time, decimal hhmmsscc
//	  149 u64  offset, size of the stream, size of the file again
//	streams, one after the other in the order of the table: blocks of
//	  0  u16   n, length of the payload
//	  2  u16   checksum: sum of the payload's words
//	  4  n     payload: a mode, then up to 61,440 bytes of content, packed
//
// A block is stored, LZ-packed, Huffman-packed, or both in this order.
//
// # Reading
//
// [Open] judges header and table before anything else is read. [Archive.Blocks] unpacks
// everything in order on several processors; [Archive.FS] gives random access to the
// files, so that a database in an archive can be used without unpacking it to disk. A
// block never takes more memory than its 61,440 bytes, whatever it claims.
//
// # Writing
//
// [Write] and [Create] make the choices ChessBase makes, in the order of files, in how a
// block is packed and in when packing is given up, so that an archive made by ChessBase
// has the same bytes when it is unpacked and packed again, except for garbage after its
// names. [Archive.Verify] checks this for any archive, block by block.
//
// # Enciphered archives
//
// A .cbz is enciphered with DES, block by block, by a key that is made of the password
// without salt. An attacker finds the key in a day: this protects against accidents, not
// against people.
package archive
