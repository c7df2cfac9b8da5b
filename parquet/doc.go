// Package parquet writes games as columns for DuckDB, Spark, ClickHouse, pandas and
// Polars, and reads such tables back. A database of games holds at most 16 million; this
// package hands larger collections to existing engines.
//
// There are two tables. [Games] has a row for each game, [Positions] a row for
// each position of the main line:
//
//	games                                     positions
//	id  White          Black     movetext …   id  ply  key               uci   …
//	1   Carlsen, M     Anand, V  1. e4 e5     1   0    463b96181691fc9c  e2e4
//	2   Nepo, I        So, W     1. c4        1   1    823c9b50fd114196  e7e5
//	                                          1   2    0844931a6ef4b9a0  NULL
//
// docs/analysis.md describes every column, with its type, its unit, where it
// comes from and when it is NULL, and shows what can be asked. Columns that the
// data sets of Lichess have too are named like theirs and mean the same.
//
// A [Writer] is a [model.Sink]. It works in batches on all processors, and what it keeps
// in memory does not grow with the number of games. The way back is a [Reader], a
// [model.Source]: it takes the column game if there is one, which has a whole game as a
// line of JSON Lines, else headers and moves. Results of queries with these columns can
// be read the same way.
//
// Package cbkit opens and saves Parquet files in programs that import this package, if
// only for that: import _ "cbkit/parquet".
//
// Files are not trusted. A file that is not Parquet, lacks a column or has it with
// another type is refused with a [*model.FormatError]. Damage is an error and never a
// panic, and the memory used is bounded by the bytes that are there.
package parquet
