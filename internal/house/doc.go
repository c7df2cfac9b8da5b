// Package house tests rules for the whole module: which package imports which, what the
// public interface shows, what every reader, writer and closer does, whatever its format.
// Its tests run in the root of the module.
package house
