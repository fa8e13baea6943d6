package picture

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "draw the picture again")

// The picture in the documentation shows what was recorded last.
func TestPictureIsUpToDate(t *testing.T) {
	recording, picture := "../../cmd/memctl/testdata/screen/session.txt", "../../docs/prompt.svg"
	screen, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	want := draw(string(screen))
	if *update {
		if err := os.WriteFile(picture, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(picture); err != nil || string(got) != string(want) {
		t.Errorf("docs/prompt.svg is out of date: make picture (%v)", err)
	}
}

func TestDrawing(t *testing.T) {
	picture := strings.ReplaceAll(string(draw("the head\n\n❯ a <prompt> & more\n  ⎿  UserPromptSubmit says: memctl: 1 memory: Kafka\n\n● An answer.\n  ⎿  Stop says: one\n     two\n")), noBreakSpace, " ")
	for _, want := range []string{
		`fill="` + plain + `">❯ a &lt;prompt&gt; &amp; more<`,
		`fill="` + green + `">  ⎿  UserPromptSubmit`,
		`fill="` + plain + `">● An answer.<`,
		`fill="` + grey + `">     two<`,
	} {
		if !strings.Contains(picture, want) {
			t.Errorf("the picture lacks %s:\n%s", want, picture)
		}
	}
	if strings.Contains(picture, "the head") {
		t.Error("it shows what is above the prompt")
	}
	for dec := xml.NewDecoder(strings.NewReader(picture)); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
