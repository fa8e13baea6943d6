package privacy

import (
	"slices"
	"strings"
)

// isTypeName reports whether a word names a type in some programming language.
func isTypeName(word string) bool {
	switch strings.ToLower(word) {
	case "string", "str", "text", "bytes", "byte", "char", "varchar", "securestring", "secretstr", "final", "const", "any", "optional", "auto":
		return true
	}
	return false
}

// keywords follow a key name without being its value: literals, settings and words
// of documentation, sorted and in lower case.
var keywords = []string{
	"absent", "all", "always", "any", "argon2", "auto", "basic", "bearer", "bcrypt", "boolean", "const", "current", "default", "defined", "deny",
	"disabled", "empty", "enabled", "enter", "expired", "false", "forbidden", "forever", "form", "given", "hash", "hashed", "hidden", "ident",
	"ignore", "ignored", "include", "inherit", "input", "integer", "invalid", "login", "manual", "mask", "masked", "missing", "must", "never",
	"nil", "none", "null", "number", "object", "omit", "optional", "peer", "plain", "plaintext", "prompt", "random", "read", "readonly",
	"reject", "required", "reset", "same", "scram", "self", "strict", "strong", "text", "through", "true", "trust", "undefined", "unknown",
	"unset", "update", "valid", "value", "variable", "void", "weak", "when", "write",
}

// isKeyword reports whether a word is a type, a literal or a setting.
func isKeyword(word string) bool {
	_, found := slices.BinarySearch(keywords, strings.ToLower(word))
	return found || isTypeName(word)
}

// algorithms and the like have letters and digits but are no secrets. They are
// sorted, in lower case and without hyphens.
var algorithms = []string{
	"aes128", "aes256", "argon2", "argon2id", "base32", "base58", "base62", "base64", "base64url", "ed25519", "es256", "es384", "float32",
	"float64", "hs256", "hs384", "hs512", "http2", "int16", "int32", "int64", "md5", "oauth2", "pbkdf2", "pkcs12", "pkcs8", "ps256", "rs256",
	"rs512", "rsa2048", "rsa4096", "scramsha256", "sha1", "sha224", "sha256", "sha384", "sha512", "uint16", "uint32", "uint64", "utf16",
	"utf8", "utf8mb4", "x25519", "x509",
}

func isAlgorithm(word string) bool {
	_, found := slices.BinarySearch(algorithms, strings.ReplaceAll(strings.ToLower(word), "-", ""))
	return found
}
