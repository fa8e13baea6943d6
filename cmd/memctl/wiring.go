package main

import (
	"memctl/features/meaning"
	"memctl/retrieve"
)

// This file gives the core, and some features, what others have for them. None of them import each other.

// userModel finds what is near in meaning.
var userModel retrieve.UserModel = meaning.UserModel
