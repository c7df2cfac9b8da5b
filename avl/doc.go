// Package avl is the search tree that lies across the records of a ChessBase
// entity file (.cbp .cbt .cbc .cbs .cbe .cbl), as an algorithm over bare links.
// It knows no file and no key: the caller keeps the records and compares them.
//
// # Links
//
// Every record begins with nine bytes that make it a node, and the file header
// holds the rest (docs/formats/cbh-entities.md 7, little-endian):
//
//	header   4  i32  root           record
//	        16  i32  first deleted  +------------+-------------+------------+---------
//	        20  i32  live records   | left  i32  | right  i32  | balance i8 | payload…
//	                                +------------+-------------+------------+---------
//	live     left and right are record ids or -1; keys in the left subtree are
//	         not greater, keys in the right subtree not smaller;
//	         balance = height(right) - height(left): -1, 0 or +1
//	deleted  left = -999, right = next deleted record or -1, balance = 0
//
// A record id is the place of the record in the file, from 0, and never
// changes. The deleted records form a stack: the last one removed is the first
// one used again (section 9). The root of a tree without live records is
// meaningless, ChessBase writes 0.
//
//	id         0     1     2     3     4        root 2, first deleted 3, 3 live
//	left      -1  -999     0  -999    -1
//	right     -1    -1     4     1    -1             2        deleted: 3 → 1
//	balance    0     0     0     0     0            / \
//	                                               0   4
//
// # Order and balance
//
// Insertion goes left where the new key is not greater than that of a node,
// so the youngest of several equal keys comes first. A record deleted between
// two children is replaced by its successor. Where the balance of x would
// become +2, one of two rotations repairs it (section 8; the mirror images for
// -2), named after the node on the deeper side, z:
//
//	single, z is deeper outside          double, z is deeper inside
//
//	    x                 z                  x                  y
//	   / \               / \                / \               /   \
//	  a   z      →      x   c              a   z      →      x     z
//	     / \           / \                    / \           / \   / \
//	    b   c         a   b                  y   d         a   b c   d
//	                                        / \
//	                                       b   c
//
// Where no record was ever deleted, inserting the records in id order gives the
// tree that ChessBase stored, node for node (section 8; docs/formats/real-databases.md 2).
// A rotation after a deletion has not been seen in a real file.
//
// # Damage
//
// Links come from files and may be anything. Readers stop at links that lead
// nowhere and always come to an end. A change checks the links and balances it
// uses, and no others; where one is wrong, it fails with a [DamageError] and
// leaves the tree as it was.
// Old programs did not balance on deletion (docs/formats/real-databases.md 3) and
// wrote wrong live counts (docs/formats/cbh-entities.md 7): [Tree.Verify] says what is
// wrong and [Tree.Rebuild] makes a sound tree of any records.
package avl
