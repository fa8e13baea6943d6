#!/usr/bin/env python3
"""check.py OUT PROJECT: did memctl do its jobs in this run? The exit status is how many it did not do."""
import glob, json, os, re, sys

out, project = sys.argv[1:3]
requests = [open(f).read() for f in sorted(glob.glob(out + "/log/*.json"))]
observations = [json.loads(line) for f in glob.glob(project + "/.claude/memory/observations/*.jsonl") for line in open(f)]
failing = [o for o in observations if "nonexist" in json.dumps(o["payload"].get("tool_input", ""))]
doctor, left = (open(out + "/" + name).read() for name in ("doctor.txt", "left.txt"))
injected = [r for r in requests if "memory-context source" in r] or [""]
started = [r for r in requests if '"kind": "agent:' in r]
checks = [
    ("start: the session got the digest of the memories, once", injected[0].count("21 more memories; ") == 1),
    ("inject: the prompt came with the memory that the digest left out, once", injected[0].count("- runbook mig: ") == 1),
    # Copilot CLI runs the hook of the first prompt while that of the start still runs.
    ("inject: it came without the memory that the digest has", out.endswith("/copilot") or "- decision kafka-p" not in injected[0]),
    ("subagent: it got a digest of its own, once", out.endswith(("/gemini", "/qwen")) or bool(started) and started[0].count(" more memories; ") == 1),
    ("guard: the agent could not write a broken memory", bool(requests) and not os.path.exists(project + "/.claude/memory/sessions/evil.json")),
    ("record: runs of tools were recorded, each once (%d)" % len(observations), bool(observations) and len(failing) == 1),
    ("record: the command that failed was recorded as failed", any(o["payload"].get("success") is False for o in failing)),
    ("server: the model was offered memctl's tools", any(re.search("memctl[_-]+search|mcp__memctl: ", r) for r in requests)),
    ("doctor: it says that the client's hooks ran", bool(re.search("^ok +(Codex CLI|Gemini CLI|OpenCode|Qwen Code|Copilot CLI) runs +last succeeded just now", doctor, re.M))),
    ("uninstall: nothing of memctl is left in the client's files", left == ""),
    ("ask: the agent was asked to save", any("Before you stop, save each of these as a memory" in r for r in requests)),
]
for text, done in checks:
    print("ok  " if done else "FAIL", text)
print("the model got %d requests" % len(requests))
sys.exit(sum(not done for _, done in checks))
