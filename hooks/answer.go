package hooks

// Answer is what a hook wants the client to do. The zero Answer lets the agent go on
// and tells it nothing. Besides Person, at most one field is set, or Context
// and Confirm.
type Answer struct {
	Person  string // text for the person, which the agent does not get
	Context string // text for the agent
	Confirm string // why the person is to decide whether the tool runs
	Deny    string // the tool must not run, and why
	Block   string // what is wrong with what the tool did; it stays done
	Ask     string // what the agent has to do before it stops
}

// blocks reports whether the answer holds the agent up.
func (a Answer) blocks() bool { return a.Confirm+a.Deny+a.Block+a.Ask != "" }

// Silence is the reason why a hook that works has nothing to say.
type Silence string

func (s Silence) Error() string { return string(s) }
