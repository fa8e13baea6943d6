package text

import "testing"

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
