package clients

import (
	"bytes"
	"errors"
	"strings"

	"memctl/clients"
	"memctl/text"
)

// rulesForm is a file of Codex with rules about commands. Codex reads every such file in the folder, and of the rules
// that match a command the strictest counts.
type rulesForm struct{ clients.OwnFile }

const rulesStart = "# What a person decides, by memctl install"

// promptRule is a line that asks before a command of memctl, with the words of the command.
var promptRule = text.Pattern(`^prefix_rule\(pattern = \["memctl"((?:, "[a-z]+")+)\], decision = "prompt"\)$`)

func (form rulesForm) Add(data []byte, e clients.Entries) ([]byte, error) {
	if _, err := form.Find(data); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(rulesStart + "\n")
	for _, name := range clients.PersonCommands {
		words := strings.ReplaceAll("memctl "+name, " ", `", "`)
		b.WriteString(`prefix_rule(pattern = ["` + words + `"], decision = "prompt")` + "\n")
	}
	return b.Bytes(), nil
}

// Find takes the lines of this version and of older ones, and no others: the file goes as a whole.
func (rulesForm) Find(data []byte) (e clients.Entries, err error) {
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch rule := promptRule().FindStringSubmatch(line); {
		case rule != nil:
			e.Asks = append(e.Asks, clients.AskRule(strings.NewReplacer(`"`, "", ",", "").Replace(rule[1])))
		case line != "" && line != rulesStart:
			return clients.Entries{}, errors.New("it has more than memctl's rules; move that to another file")
		}
	}
	return e, nil
}

func (rulesForm) Rules() string { return "one rule on a line" }
