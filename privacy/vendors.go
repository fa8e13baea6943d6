package privacy

import (
	"strings"
	"sync"
)

// tokenRule is how one sort of a vendor's tokens looks: a prefix, then characters of
// a set, digits and letters among them.
type tokenRule struct {
	kind     string
	chars    string
	min, max int    // length after the prefix; max 0 is any
	prefixes string // with spaces between them
}

const (
	alnum  = letterChars + digitChars
	dashed = alnum + "_-"
	dotted = dashed + "."
)

// tokenRules lists the longer of two prefixes first where one begins the other.
var tokenRules = []tokenRule{
	{"aws_key", alnum, 16, 16, "AKIA ASIA ABIA ACCA"},
	{"gcp_key", dashed, 35, 35, "AIza"},
	{"gcp_key", dashed, 20, 0, "GOCSPX-"},
	{"gcp_key", dotted, 20, 0, "ya29."},
	{"github_token", alnum, 30, 0, "ghp_ gho_ ghu_ ghr_"},
	{"github_token", dotted, 30, 0, "ghs_"},
	{"github_token", dashed, 30, 0, "github_pat_"},
	{"gitlab_token", dotted, 18, 0, "glpat- glrt-"},
	{"gitlab_token", dashed, 18, 0, "glptt- gldt- glcbt- glsoat- glagent- glft- glimt-"},
	{"slack_token", dashed, 16, 0, "xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxd- xoxe- xapp-"},
	{"slack_token", dotted, 16, 0, "xoxe."},
	{"stripe_key", alnum, 16, 0, "sk_live_ sk_test_ rk_live_ rk_test_"},
	{"stripe_key", alnum, 24, 0, "whsec_"},
	{"anthropic_key", dashed, 20, 0, "sk-ant-"},
	{"openrouter_key", dashed, 20, 0, "sk-or-"},
	{"openai_key", dashed, 20, 0, "sk-"},
	{"openai_key", alnum, 40, 40, "sess-"},
	{"npm_token", alnum, 30, 0, "npm_"},
	{"sendgrid_key", dotted, 40, 0, "SG."},
	{"huggingface_token", alnum, 30, 0, "hf_"},
	{"docker_token", dashed, 20, 0, "dckr_pat_ dckr_oat_"},
	{"digitalocean_token", alnum, 40, 0, "dop_v1_ doo_v1_"},
	{"pypi_token", dashed, 40, 0, "pypi-AgE"},
	{"vault_token", dashed, 20, 0, "hvs. hvb."},
	{"shopify_token", alnum, 24, 0, "shpat_ shpss_ shpca_ shppa_"},
	{"grafana_token", dashed, 24, 0, "glsa_ glc_eyJ"},
	{"databricks_token", alnum, 32, 32, "dapi"},
	{"age_key", alnum, 50, 0, "AGE-SECRET-KEY-1"},
	{"linear_key", alnum, 30, 0, "lin_api_"},
	{"notion_token", alnum, 40, 0, "ntn_"},
	{"supabase_key", alnum, 36, 0, "sbp_"},
	{"supabase_key", dashed, 20, 0, "sb_secret_"},
	{"groq_key", alnum, 40, 0, "gsk_"},
	{"xai_key", alnum, 40, 0, "xai-"},
	{"perplexity_key", alnum, 40, 0, "pplx-"},
	{"replicate_token", alnum, 36, 0, "r8_"},
	{"postman_key", dashed, 40, 0, "PMAK-"},
	{"newrelic_key", alnum, 24, 0, "NRAK-"},
	{"sentry_token", dashed, 40, 0, "sntrys_"},
	{"sentry_token", alnum, 40, 0, "sntryu_"},
	{"square_token", dashed, 20, 0, "sq0atp-"},
	{"square_token", dashed, 30, 0, "sq0csp-"},
	{"planetscale_token", dashed, 30, 0, "pscale_tkn_ pscale_pw_"},
	{"atlassian_token", dashed, 60, 0, "ATATT3x"},
	{"netlify_token", alnum, 30, 0, "nfp_"},
	{"figma_token", dashed, 30, 0, "figd_"},
	{"rubygems_key", alnum, 40, 0, "rubygems_"},
	{"crates_token", alnum, 32, 32, "cio"},
	{"tailscale_key", dashed, 20, 0, "tskey-"},
	{"doppler_token", alnum, 36, 0, "dp.pt."},
	{"doppler_token", dotted, 36, 0, "dp.st."},
	{"onepassword_token", dashed, 60, 0, "ops_eyJ"},
	{"airtable_token", dotted, 79, 79, "pat"},
	{"mailgun_key", alnum, 32, 32, "key-"},
}

// prefixRule is a tokenRule for one of its prefixes.
type prefixRule struct {
	prefix string
	tokenRule
}

// rulesByFirstByte spares most words all of the rules.
var rulesByFirstByte = sync.OnceValue(func() *[256][]*prefixRule {
	var rules []*prefixRule
	for _, rule := range tokenRules {
		for prefix := range strings.FieldsSeq(rule.prefixes) {
			rules = append(rules, &prefixRule{prefix, rule})
		}
	}
	return groupBy(rules, func(r *prefixRule) byte { return r.prefix[0] })
})

// vendorTokens finds the tokens of tokenRules.
func vendorTokens(s string) []finding {
	var findings []finding
	rules := rulesByFirstByte()
	for i := 0; i < len(s); i++ {
		for _, rule := range rules[s[i]] {
			if !strings.HasPrefix(s[i:], rule.prefix) || !startsWord(s, i) && !rule.inWords() {
				continue
			}
			if end := rule.tokenEnd(s, i); end > 0 {
				findings = append(findings, finding{i, end, rule.kind})
				i = end - 1
			}
			break
		}
	}
	return findings
}

// inWords reports whether the prefix also counts within a word, as in "Toolghp_…". No
// name goes on for so long after it without an underscore.
func (r *prefixRule) inWords() bool {
	return len(r.prefix) >= 4 && strings.HasSuffix(r.prefix, "_") && r.chars == alnum
}

// tokenEnd returns the end of the token whose prefix stands at an index, 0 if there
// is none.
func (r *prefixRule) tokenEnd(s string, at int) int {
	const enough = 100 // characters that show whether it is a token
	start := at + len(r.prefix)
	end := skipAtMost(s, start, enough, r.chars)
	if n := end - start; n < r.min || r.max > 0 && n > r.max || !isMixed(s[start:end]) {
		return 0
	}
	end = skip(s, end, r.chars)
	if r.chars == dotted {
		return start + len(strings.TrimRight(s[start:end], ".-_"))
	}
	return end
}

// startsWord reports whether a word starts at an index: after anything but a letter,
// a digit or an underscore, unless those end an escape ("\n", "%3D").
func startsWord(s string, i int) bool {
	if i == 0 || !isWord(s[i-1]) {
		return true
	}
	if i >= 2 && s[i-2] == '\\' && strings.IndexByte("nrt", s[i-1]) >= 0 {
		return true
	}
	return i >= 3 && s[i-3] == '%' && isHex(s[i-2]) && isHex(s[i-1])
}

// jsonWebTokens finds JWTs: three parts with dots between them, the last of which may
// be empty.
func jsonWebTokens(s string) []finding {
	const minHeader, minPayload = 12, 4
	var findings []finding
	done := 0
	for at := range occurrences(s, "eyJ") {
		if at < done || !startsWord(s, at) {
			continue
		}
		header := skip(s, at, dashed)
		if header-at < minHeader {
			continue
		}
		done = header // whatever starts within a header that fails, fails too
		if header == len(s) || s[header] != '.' {
			continue
		}
		payload := skip(s, header+1, dashed)
		if payload-header > minPayload && payload < len(s) && s[payload] == '.' {
			done = skip(s, payload+1, dashed)
			findings = append(findings, finding{at, done, "jwt"})
		}
	}
	return findings
}

// webhooks are addresses whose path only the owner of a channel knows.
var webhooks = []struct{ kind, address string }{
	{"slack_webhook", "hooks.slack.com/services/T"},
	{"discord_webhook", "discord.com/api/webhooks/"},
	{"discord_webhook", "discordapp.com/api/webhooks/"},
}

func webhookPaths(s string) []finding {
	const minPath = 24
	var findings []finding
	for _, webhook := range webhooks {
		for at := range occurrences(s, webhook.address) {
			start := at + len(webhook.address)
			end := skip(s, start, dashed+"/")
			if startsWord(s, at) && end-start >= minPath && strings.ContainsAny(s[start:end], digitChars) {
				findings = append(findings, finding{start, end, webhook.kind})
			}
		}
	}
	return findings
}

// telegramTokens finds tokens of bots: 8 to 10 digits, ":AA", 32 or 33 characters.
func telegramTokens(s string) []finding {
	const separator = ":AA"
	var findings []finding
	for at := range occurrences(s, separator) {
		start := max(0, at-11)
		start += len(strings.TrimRight(s[start:at], digitChars))
		rest := at + len(separator)
		end := skipAtMost(s, rest, 34, dashed)
		if id, secret := at-start, end-rest; id >= 8 && id <= 10 && (secret == 32 || secret == 33) {
			findings = append(findings, finding{start, end, "telegram_token"})
		}
	}
	return findings
}
