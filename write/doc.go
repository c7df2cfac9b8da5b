// Package write encodes chess databases from the neutral model into files.
//
// [Create] makes a new ChessBase database of any [model.Source]; it is a
// [model.Sink], so [model.Copy] does the work:
//
//	sink, err := write.Create(ctx, "Games.cbh", write.Options{})
//	…
//	err = model.Copy(ctx, sink, source, model.CopyOptions{})
//
// Whatever the source is, it is written afresh: entities are numbered in the order
// in which games mention them and put into the search trees one by one, and all
// derived values (flags, magnitudes, medals, material, move counts, reference
// counts, checksums) are computed. (docs/formats/cbh.md, A new database)
//
// # Copies
//
// [CreateCopy] copies a ChessBase database that is open: its stored records, and
// with them ids, tree links, free lists, headers, stored flags and counters as they
// are, right or wrong. It is a sink too, for that one source; records that are not
// put are left out. (docs/formats/cbh.md, A copy of a ChessBase database)
//
// # Editing
//
// [Edit] opens a ChessBase database for change in place. Its transactions take effect as
// a whole or not at all, even if the machine stops:
//
//	ed, err := write.Edit(ctx, "Games.cbh", write.EditOptions{})
//	…
//	defer ed.Close()
//	err = ed.Append(ctx, games, model.CopyOptions{}) // at the end
//	err = ed.Replace(17, model.Record{Game: game}, nil)
//	err = ed.Delete(3, 4)
//	id, err := ed.Players().Find(model.Player{LastName: "Kasparof"})
//	err = ed.Players().Change(id, model.Player{LastName: "Kasparov"})
//	n, err := ed.ChangeHeaders(ctx, func(id model.RecordID, h *model.ResolvedHeader) error { … })
//	err = ed.Commit()
//
// What a change costs depends on the change and not on the size of the database: a
// changed header costs a few pages, also among millions of games. A game that grows uses
// the hole after it, or moves what follows; [Compact] removes holes. Search boosters are
// updated; those that did not fit the database before are removed
// ([EditResult].DroppedBoosters). (docs/formats/cbh.md, Edited in place)
//
// Only one editor or other writer has a database at a time: a second one gets
// [model.ErrLocked], or waits ([EditOptions].Wait). Readers need no lock; one that a
// commit overtakes ends with [model.ErrChanged] and never mixes two states. After an
// interrupted edit, opening the database for reading fails with [model.ErrNeedsRecovery]
// until the next editor, or [Recover], takes the edit back.
//
// # Repairing
//
// [Repair] corrects in place what can be derived in a damaged ChessBase database, in one
// transaction, and reports what is left. [Salvage] makes a new database of everything
// that can still be read of a more damaged one.
//
// # Other writers
//
// [CreateSimple] makes a Simple Chess Database, in the layout v0 or v1; it is a
// sink like [Create] and copies a source of its own format. [CreateScid] makes a database
// of Scid 4. [EditSimple] and [EditScid] change these in place.
//
// [Boosters] computes the search boosters of an existing ChessBase database.
//
// # Safety
//
// The files are built in a folder beside the target and moved into place when
// they are complete, the .cbh file last. An existing database is refused
// unless Options.Force is set; it is then kept aside until the new one is in
// place. After a crash in between, [Recover], or [RecoverSimple], completes the
// replacement or takes it back. A source is never changed.
//
// # Locks
//
// Only one writer of a name works at a time, whatever it writes: a second one gets
// [model.ErrLocked], which names the process that holds the lock, or waits as long as its
// option Wait says. The lock is taken when the work begins and ends with its process. If
// it needs a file (Games.cbh.cbkit-lock), one that a killed process left locks nothing;
// the next writer or [Recover] removes it. Readers hold no lock. On js, wasip1 and plan9,
// and on file systems without locks, nothing keeps two writers apart.
//
// What the format cannot hold is reported as a [model.Loss]; limits of the
// format that would break references (ids, sizes) are errors.
package write
