package text

import "testing"

func TestNameKey(t *testing.T) {
	same := [][2]string{
		{"auth.json", "Auth.json"}, {"auth.json", "AUTH.JSON"}, {"straße", "STRAßE"},
		{"caf\u00e9", "cafe\u0301"}, {"CAFE\u0301", "caf\u00e9"}, {"\uac00", "\u1100\u1161"}, {"\u212a", "k"},
	}
	for _, names := range same {
		if NameKey(names[0]) != NameKey(names[1]) {
			t.Errorf("%+q and %+q differ", names[0], names[1])
		}
	}
	for _, names := range [][2]string{{"auth", "auths"}, {"cafe", "caf\u00e9"}, {"a-b", "a_b"}, {"", "a"}} {
		if NameKey(names[0]) == NameKey(names[1]) {
			t.Errorf("%+q and %+q are the same", names[0], names[1])
		}
	}
}

func TestIsDevice(t *testing.T) {
	for _, name := range []string{"con", "prn", "aux", "nul", "com0", "com1", "com9", "lpt1", "lpt9"} {
		if !IsDevice(name) {
			t.Errorf("%s is none", name)
		}
		if slug := Slug(name); IsDevice(slug) {
			t.Errorf("the slug of %s is %s", name, slug)
		}
	}
	for _, name := range []string{"", "cons", "co", "com", "com10", "comx", "lpt", "null", "con-1", "my-con"} {
		if IsDevice(name) {
			t.Errorf("%s is one", name)
		}
		if slug := Slug(name); slug != name {
			t.Errorf("the slug of %s is %s", name, slug)
		}
	}
}
