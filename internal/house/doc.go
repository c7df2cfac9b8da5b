// Package house holds the rules of the house: which room imports which, what the public
// interface shows, what every reader, writer and closer keeps to, whatever its format. Its
// tests run in the root of the module.
package house
