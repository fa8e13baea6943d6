// Package observe owns what memctl records of the sessions of agents. It turns what a tool
// did into an observation and appends it to the session's file: it filters, cuts and
// limits. It keeps the log of the hooks, the records of injections and of reviews, and
// what a stop stages for the agent. It does not open the index, because its hook runs
// after every tool.
package observe
