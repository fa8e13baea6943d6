package privacy

import (
	"strings"
	"sync"
)

// shape is how one vendor's tokens look: a prefix that nothing else has, then
// characters of a class, digits and letters among them.
type shape struct {
	kind, prefix string
	class        class
	min, max     int // how many characters follow; max 0 is any
}

// class is a set of characters.
type class int

const (
	alnum   class = iota // A-Z a-z 0-9
	wordy                // and _ -
	dotted               // and . besides
	classes = 3
)

// shapes is the whole list. Where one prefix begins another, the longer stands
// first.
var shapes = []shape{
	{"aws_key", "AKIA", alnum, 16, 16},
	{"aws_key", "ASIA", alnum, 16, 16},
	{"aws_key", "ABIA", alnum, 16, 16},
	{"aws_key", "ACCA", alnum, 16, 16},
	{"gcp_key", "AIza", wordy, 35, 35},
	{"gcp_key", "GOCSPX-", wordy, 20, 0},
	{"gcp_key", "ya29.", dotted, 20, 0},
	{"github_token", "ghp_", alnum, 30, 0},
	{"github_token", "gho_", alnum, 30, 0},
	{"github_token", "ghu_", alnum, 30, 0},
	{"github_token", "ghs_", dotted, 30, 0},
	{"github_token", "ghr_", alnum, 30, 0},
	{"github_token", "github_pat_", wordy, 30, 0},
	{"gitlab_token", "glpat-", dotted, 18, 0},
	{"gitlab_token", "glptt-", wordy, 18, 0},
	{"gitlab_token", "gldt-", wordy, 18, 0},
	{"gitlab_token", "glrt-", dotted, 18, 0},
	{"gitlab_token", "glcbt-", wordy, 18, 0},
	{"gitlab_token", "glsoat-", wordy, 18, 0},
	{"gitlab_token", "glagent-", wordy, 18, 0},
	{"gitlab_token", "glft-", wordy, 18, 0},
	{"gitlab_token", "glimt-", wordy, 18, 0},
	{"slack_token", "xoxb-", wordy, 16, 0},
	{"slack_token", "xoxp-", wordy, 16, 0},
	{"slack_token", "xoxa-", wordy, 16, 0},
	{"slack_token", "xoxr-", wordy, 16, 0},
	{"slack_token", "xoxs-", wordy, 16, 0},
	{"slack_token", "xoxc-", wordy, 16, 0},
	{"slack_token", "xoxd-", wordy, 16, 0},
	{"slack_token", "xoxe.", dotted, 16, 0},
	{"slack_token", "xoxe-", wordy, 16, 0},
	{"slack_token", "xapp-", wordy, 16, 0},
	{"stripe_key", "sk_live_", alnum, 16, 0},
	{"stripe_key", "sk_test_", alnum, 16, 0},
	{"stripe_key", "rk_live_", alnum, 16, 0},
	{"stripe_key", "rk_test_", alnum, 16, 0},
	{"stripe_key", "whsec_", alnum, 24, 0},
	{"anthropic_key", "sk-ant-", wordy, 20, 0},
	{"openrouter_key", "sk-or-", wordy, 20, 0},
	{"openai_key", "sk-", wordy, 20, 0},
	{"openai_key", "sess-", alnum, 40, 40},
	{"npm_token", "npm_", alnum, 30, 0},
	{"sendgrid_key", "SG.", dotted, 40, 0},
	{"huggingface_token", "hf_", alnum, 30, 0},
	{"docker_token", "dckr_pat_", wordy, 20, 0},
	{"docker_token", "dckr_oat_", wordy, 20, 0},
	{"digitalocean_token", "dop_v1_", alnum, 40, 0},
	{"digitalocean_token", "doo_v1_", alnum, 40, 0},
	{"pypi_token", "pypi-AgE", wordy, 40, 0},
	{"vault_token", "hvs.", wordy, 20, 0},
	{"vault_token", "hvb.", wordy, 20, 0},
	{"shopify_token", "shpat_", alnum, 24, 0},
	{"shopify_token", "shpss_", alnum, 24, 0},
	{"shopify_token", "shpca_", alnum, 24, 0},
	{"shopify_token", "shppa_", alnum, 24, 0},
	{"grafana_token", "glsa_", wordy, 24, 0},
	{"grafana_token", "glc_eyJ", wordy, 24, 0},
	{"databricks_token", "dapi", alnum, 32, 32},
	{"age_key", "AGE-SECRET-KEY-1", alnum, 50, 0},
	{"linear_key", "lin_api_", alnum, 30, 0},
	{"notion_token", "ntn_", alnum, 40, 0},
	{"supabase_key", "sbp_", alnum, 36, 0},
	{"supabase_key", "sb_secret_", wordy, 20, 0},
	{"groq_key", "gsk_", alnum, 40, 0},
	{"xai_key", "xai-", alnum, 40, 0},
	{"perplexity_key", "pplx-", alnum, 40, 0},
	{"replicate_token", "r8_", alnum, 36, 0},
	{"postman_key", "PMAK-", wordy, 40, 0},
	{"newrelic_key", "NRAK-", alnum, 24, 0},
	{"sentry_token", "sntrys_", wordy, 40, 0},
	{"sentry_token", "sntryu_", alnum, 40, 0},
	{"square_token", "sq0atp-", wordy, 20, 0},
	{"square_token", "sq0csp-", wordy, 30, 0},
	{"planetscale_token", "pscale_tkn_", wordy, 30, 0},
	{"planetscale_token", "pscale_pw_", wordy, 30, 0},
	{"atlassian_token", "ATATT3x", wordy, 60, 0},
	{"netlify_token", "nfp_", alnum, 30, 0},
	{"figma_token", "figd_", wordy, 30, 0},
	{"rubygems_key", "rubygems_", alnum, 40, 0},
	{"crates_token", "cio", alnum, 32, 32},
	{"tailscale_key", "tskey-", wordy, 20, 0},
	{"doppler_token", "dp.pt.", alnum, 36, 0},
	{"doppler_token", "dp.st.", dotted, 36, 0},
	{"onepassword_token", "ops_eyJ", wordy, 60, 0},
	{"airtable_token", "pat", dotted, 79, 79},
	{"mailgun_key", "key-", alnum, 32, 32},
	{"slack_webhook", "hooks.slack.com/services/T", webhook, 0, 0},
	{"discord_webhook", "discord.com/api/webhooks/", webhook, 0, 0},
	{"discord_webhook", "discordapp.com/api/webhooks/", webhook, 0, 0},
	{"jwt", "eyJ", jwt, 0, 0},
}

// Classes with a rule of their own.
const (
	webhook class = -1 - iota
	jwt
)

// byFirst lists shapes by their first byte, from the first use on.
var byFirst struct {
	sync.Once
	lists [128][]shape
}

func listShapes() {
	for _, s := range shapes {
		byFirst.lists[s.prefix[0]] = append(byFirst.lists[s.prefix[0]], s)
	}
}

// shortestToken is less than any of the shapes takes. Prose is passed over by it:
// no token holds white space.
const shortestToken = 16

// shaped finds the tokens of known shapes.
func shaped(s string) []span {
	var spans []span
	r := runs{s: s}
	for start := 0; start < len(s); {
		end := start
		for end < len(s) && s[end] > ' ' {
			end++
		}
		if end-start >= shortestToken {
			spans = append(spans, r.shaped(start, end)...)
		}
		start = end + 1
	}
	return append(spans, telegram(s)...)
}

// shaped finds the tokens that start in a stretch.
func (r *runs) shaped(from, to int) []span {
	byFirst.Do(listShapes)
	lists := &byFirst.lists
	s := r.s
	var spans []span
	for i := from; i < to; i++ {
		if s[i] >= 128 || lists[s[i]] == nil || !startsWord(s, i) {
			continue
		}
		for _, shape := range lists[s[i]] {
			if !strings.HasPrefix(s[i:], shape.prefix) {
				continue
			}
			if start, end := r.match(shape, i); end > 0 {
				spans = append(spans, span{start, end, shape.kind})
				i = end - 1
			}
			break
		}
	}
	return spans
}

// startsWord tells whether a word may start at i: after anything but a letter, a
// digit or an underscore, unless those end an escape ("\n", "%3D").
func startsWord(s string, i int) bool {
	if i == 0 || !isWord(s[i-1]) {
		return true
	}
	if i >= 2 && s[i-2] == '\\' && strings.IndexByte("nrt", s[i-1]) >= 0 {
		return true
	}
	return i >= 3 && s[i-3] == '%' && isHex(s[i-2]) && isHex(s[i-1])
}

// runs finds how far characters of a class go on. It remembers the last run of
// each class, so that a text is not read over and over.
type runs struct {
	s     string
	known [classes]run
}

type run struct{ start, end, lastDigit, lastLetter int }

func (r *runs) from(class class, at int) run {
	known := &r.known[class]
	if known.start <= at && at < known.end {
		return *known
	}
	*known = run{at, at, -1, -1}
	for ; known.end < len(r.s); known.end++ {
		c := r.s[known.end]
		switch {
		case isDigit(c):
			known.lastDigit = known.end
		case isLetter(c):
			known.lastLetter = known.end
		case class == alnum || c != '_' && c != '-' && (c != '.' || class != dotted):
			return *known
		}
	}
	return *known
}

// match returns the secret of a shape whose prefix stands at a place; end 0 for none.
func (r *runs) match(s shape, at int) (start, end int) {
	after := at + len(s.prefix)
	switch s.class {
	case jwt:
		return at, r.jwtEnd(at)
	case webhook:
		return after, r.webhookEnd(after)
	}
	run := r.from(s.class, after)
	n := run.end - after
	if n < s.min || s.max > 0 && n > s.max || run.lastDigit < after || run.lastLetter < after {
		return 0, 0
	}
	for end = run.end; end > after && strings.IndexByte(".-_", r.s[end-1]) >= 0 && s.class == dotted; {
		end--
	}
	return at, end
}

// jwtEnd finds the end of three runs parted by dots; the last may be empty.
func (r *runs) jwtEnd(at int) int {
	header := r.from(wordy, at).end
	if header-at < 12 || header == len(r.s) || r.s[header] != '.' {
		return 0
	}
	payload := r.from(wordy, header+1).end
	if payload-header < 5 || payload == len(r.s) || r.s[payload] != '.' {
		return 0
	}
	return max(payload, r.from(wordy, payload+1).end)
}

// webhookEnd takes the path that only the owner of a channel knows.
func (r *runs) webhookEnd(at int) int {
	end, digit := at, false
	for end < len(r.s) && (isWord(r.s[end]) || r.s[end] == '-' || r.s[end] == '/') {
		digit = digit || isDigit(r.s[end])
		end++
	}
	if end-at < 24 || !digit {
		return 0
	}
	return end
}

// telegram finds bot tokens: 8 to 10 digits, ":AA", 33 characters.
func telegram(s string) []span {
	const mark, length = ":AA", 33
	var spans []span
	for at := 0; ; {
		i := strings.Index(s[at:], mark)
		if i < 0 {
			return spans
		}
		at += i + len(mark)
		start := at - len(mark)
		for start > 0 && isDigit(s[start-1]) && at-len(mark)-start < 11 {
			start--
		}
		end := at
		for end < len(s) && (isWord(s[end]) || s[end] == '-') && end-at <= length {
			end++
		}
		if n := at - len(mark) - start; n >= 8 && n <= 10 && end-at >= length-1 && end-at <= length {
			spans = append(spans, span{start, end, "telegram_token"})
		}
	}
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) || c == '_' }
func isHex(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
