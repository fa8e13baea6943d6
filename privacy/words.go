package privacy

import (
	"slices"
	"strings"
)

// isType tells the name of a type.
func isType(word string) bool {
	switch strings.ToLower(word) {
	case "string", "str", "text", "bytes", "byte", "char", "varchar", "securestring", "secretstr", "final", "const", "any", "optional", "auto":
		return true
	}
	return false
}

// wordsOfCode stand after a name without being its value, in lower case.
var wordsOfCode = []string{
	"absent", "all", "always", "any", "argon2", "auto", "basic", "bearer", "bcrypt", "boolean", "const", "current", "default", "defined", "deny",
	"disabled", "empty", "enabled", "enter", "expired", "false", "forbidden", "forever", "form", "given", "hash", "hashed", "hidden", "ident",
	"ignore", "ignored", "include", "inherit", "input", "integer", "invalid", "login", "manual", "mask", "masked", "missing", "must", "never",
	"nil", "none", "null", "number", "object", "omit", "optional", "peer", "plain", "plaintext", "prompt", "random", "read", "readonly",
	"reject", "required", "reset", "same", "scram", "self", "strict", "strong", "text", "through", "true", "trust", "undefined", "unknown",
	"unset", "update", "valid", "value", "variable", "void", "weak", "when", "write",
}

// isWordOfCode tells types, literals and settings.
func isWordOfCode(word string) bool {
	lower := strings.ToLower(word)
	_, found := slices.BinarySearch(wordsOfCode, lower)
	return found || isType(lower)
}

// terms are words with digits that are no secrets, in lower case without hyphens.
var terms = []string{
	"aes128", "aes256", "argon2", "argon2id", "base32", "base58", "base62", "base64", "base64url", "ed25519", "es256", "es384", "float32",
	"float64", "hs256", "hs384", "hs512", "http2", "int16", "int32", "int64", "md5", "oauth2", "pbkdf2", "pkcs12", "pkcs8", "ps256", "rs256",
	"rs512", "rsa2048", "rsa4096", "scramsha256", "sha1", "sha224", "sha256", "sha384", "sha512", "uint16", "uint32", "uint64", "utf16",
	"utf8", "utf8mb4", "x25519", "x509",
}

func isTerm(word string) bool {
	_, found := slices.BinarySearch(terms, strings.ReplaceAll(strings.ToLower(word), "-", ""))
	return found
}
