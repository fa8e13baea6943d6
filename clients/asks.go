package clients

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"

	"memctl/text"
)

// A client that asks a person about PersonCommands, whatever else its rules allow, has rules of that kind in the file
// of its hooks, or reads all files of a folder. memctl writes them only where the strictest rule counts: elsewhere
// one that asks would loosen one of the user's that forbids.

// inHooksFile is Client.asks for permissions.ask in the file of the hooks.
const inHooksFile = "."

// asksFile is the file of the rules, "" if the client has none or has them in the file of the hooks.
func (t Target) asksFile() string {
	if t.Client.asks == "" || t.Client.asks == inHooksFile {
		return ""
	}
	return filepath.Join(filepath.Dir(t.Settings), filepath.FromSlash(t.Client.asks))
}

// rulesForm is a file of Codex with rules about commands. Codex reads every such file in the folder, and of the rules
// that match a command the strictest counts.
type rulesForm struct{ ownFile }

const rulesStart = "# What a person decides, by memctl install"

// promptRule is a line that asks before a command of memctl, with the words of the command.
var promptRule = text.Pattern(`^prefix_rule\(pattern = \["memctl"((?:, "[a-z]+")+)\], decision = "prompt"\)$`)

func (form rulesForm) add(data []byte, e Entries) ([]byte, error) {
	if _, err := form.find(data); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(rulesStart + "\n")
	for _, name := range PersonCommands {
		words := strings.ReplaceAll("memctl "+name, " ", `", "`)
		b.WriteString(`prefix_rule(pattern = ["` + words + `"], decision = "prompt")` + "\n")
	}
	return b.Bytes(), nil
}

// find takes the lines of this version and of older ones, and no others: the file goes as a whole.
func (rulesForm) find(data []byte) (e Entries, err error) {
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch rule := promptRule().FindStringSubmatch(line); {
		case rule != nil:
			e.Asks = append(e.Asks, askRule(strings.NewReplacer(`"`, "", ",", "").Replace(rule[1])))
		case line != "" && line != rulesStart:
			return Entries{}, errors.New("it has more than memctl's rules; move that to another file")
		}
	}
	return e, nil
}

func (rulesForm) rules() string { return "one rule on a line" }
