// Package fault lets tests make an operation of gate fail. Only packages below gate can import it, and of these only
// gatetest sets it.
package fault

// Before is asked before each operation on a path. If it returns an error, the operation fails with it. It is nil
// in the program.
var Before func(operation, path string) error
