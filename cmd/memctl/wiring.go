package main

import (
	"memctl/features/hub"
	"memctl/features/meaning"
	"memctl/files"
	"memctl/retrieve"
)

// This file gives the core, and some features, what others have for them. None of them import each other.

// userModel finds what is near in meaning.
var userModel retrieve.UserModel = meaning.UserModel

// checks are those of features, in the order of doctor's answer. AsksHub makes a request of the user's hub, which
// plainHTTP allows without TLS.
func checks(asksHub, plainHTTP bool) []files.Check {
	return []files.Check{hub.Check(version, asksHub, plainHTTP), meaning.Check}
}
