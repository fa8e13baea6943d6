// Command empty does nothing. It shows the cost of any Go process.
package main

func main() {}
