// Command embedserver serves a small model of meaning (package indexing), to try memctl with one.
//
//	go run ./tools/embedserver [-listen ADDRESS] FILE...
//
// It learns from the lines of text files.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"

	"memctl/tools/embedserver/indexing"
)

func main() {
	listen := flag.String("listen", "localhost:8600", "`address` to listen at")
	flag.Parse()
	if err := serve(*listen, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "embedserver:", err)
		os.Exit(1)
	}
}

func serve(listen string, files []string) error {
	var lines []string
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		lines = append(lines, strings.Split(string(data), "\n")...)
	}
	fmt.Printf("learning from %d lines, then listening at http://%s\n", len(lines), listen)
	return http.ListenAndServe(listen, indexing.Train(lines))
}
