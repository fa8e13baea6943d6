// memctl's plugin for OpenCode, written by "memctl install --client opencode". It tells
// memctl what happens in a session and passes on its answers. Whatever goes wrong here,
// the session goes on.
import { spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const program = "memctl"

// hook runs "memctl hook" with an event and returns the answer, {} if there is none.
function hook(name, event, seconds = 10) {
  return new Promise((resolve) => {
    let out = ""
    const done = () => {
      try {
        resolve(JSON.parse(out))
      } catch {
        resolve({})
      }
    }
    try {
      const args = ["hook", "--client", "opencode", name]
      const child = spawn(program, args, { cwd: event.cwd, timeout: seconds * 1000, stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      child.on("error", done).on("close", done)
      child.stdout.setEncoding("utf8").on("data", (text) => (out += text))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(event))
    } catch {
      done()
    }
  })
}

// heard is what an answer has the agent read.
const heard = (answer) => (answer.decision === "block" && answer.reason) || answer.hookSpecificOutput?.additionalContext || ""

const textOf = (parts) => parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n")

// transcriptOf writes down the end of a session in Claude Code's form.
const transcriptOf = (messages) =>
  messages.slice(-200).map(({ info, parts }) => {
    const content = parts.flatMap((part) => {
      if (part.type === "tool") return [{ type: "tool_use", name: part.tool }]
      return part.type === "text" && !part.synthetic ? [{ type: "text", text: part.text }] : []
    })
    return JSON.stringify({ type: info.role, message: { id: info.id, role: info.role, content } }) + "\n"
  })

// safely runs a step of the plugin, which must never stop OpenCode.
const safely = (step) => async (...args) => {
  try {
    return await step(...args)
  } catch {}
}

export const Memctl = async ({ client, directory }) => {
  const isRun = process.argv[2] === "run" // ends with its answer, so no question can follow
  const created = new Set(), children = new Set(), started = new Set() // sessions
  const digests = new Map() // of sessions that were compacted, until the next prompt
  const asked = new Set() // sessions that answer memctl's question
  const startedAt = new Map() // of the calls of tools
  const base = (sessionID, event) => ({ session_id: sessionID, cwd: directory, hook_event_name: event })
  const call = (event, sessionID, callID, tool, args = {}) => ({
    ...base(sessionID, event),
    tool_use_id: callID,
    tool_name: tool,
    tool_input: args,
  })

  const say = (output, sessionID, text) => {
    if (!text) return
    const id = `${output.parts[0].id}m${output.parts.length}` // parts are ordered by their ids
    output.parts.push({ id, sessionID, messageID: output.message.id, type: "text", text, synthetic: true })
  }

  const toolFailed = safely(async ({ sessionID, callID, tool, state }) => {
    if (!startedAt.delete(callID)) return // it is told already, or memctl denied the call
    const event = call("PostToolUseFailure", sessionID, callID, tool, state.input)
    await hook("post-tool-use-failure", { ...event, error: state.error, duration_ms: state.time.end - state.time.start })
  })

  const stopped = safely(async (id) => {
    if (isRun || children.has(id)) return
    const { data = [] } = await client.session.messages({ path: { id } })
    const last = data.findLast(({ info }) => info.role === "assistant")
    const event = { ...base(id, "Stop"), stop_hook_active: asked.delete(id), last_assistant_message: last ? textOf(last.parts) : "" }
    const folder = await mkdtemp(join(tmpdir(), "memctl-opencode-")) // for this user alone
    let text
    try {
      const transcript_path = join(folder, "transcript.jsonl")
      await writeFile(transcript_path, transcriptOf(data))
      text = heard(await hook("stop", { ...event, transcript_path }, 30))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    if (!text) return
    asked.add(id)
    await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text, synthetic: true }] } })
  })

  return {
    event: safely(async ({ event: { type, properties } }) => {
      if (type === "session.created") (properties.info.parentID ? children : created).add(properties.info.id)
      if (type === "message.part.updated" && properties.part.state?.status === "error") await toolFailed(properties.part)
      if (type === "session.compacted") {
        const id = properties.sessionID // what it got is gone now, not at the next prompt
        started.add(id)
        digests.set(id, heard(await hook("session-start", { ...base(id, "SessionStart"), source: "compact" })))
      }
      if (type === "session.idle") await stopped(properties.sessionID)
    }),
    "chat.message": safely(async ({ sessionID }, output) => {
      const prompt = textOf(output.parts)
      if (!prompt) return
      if (!started.has(sessionID)) {
        started.add(sessionID)
        const source = created.has(sessionID) ? "startup" : "resume"
        const start = children.has(sessionID) ? "subagent-start" : "session-start"
        say(output, sessionID, heard(await hook(start, { ...base(sessionID, "SessionStart"), source })))
      }
      say(output, sessionID, digests.get(sessionID))
      digests.delete(sessionID)
      say(output, sessionID, heard(await hook("user-prompt-submit", { ...base(sessionID, "UserPromptSubmit"), prompt })))
    }),
    "tool.execute.before": async ({ sessionID, callID, tool }, output) => {
      startedAt.set(callID, Date.now())
      if (tool !== "write" && tool !== "edit") return
      const answer = await hook("pre-tool-use", call("PreToolUse", sessionID, callID, tool, output.args), 5)
      if (answer.hookSpecificOutput?.permissionDecision !== "deny") return
      startedAt.delete(callID)
      throw new Error(answer.hookSpecificOutput.permissionDecisionReason) // this is how a plugin denies
    },
    "tool.execute.after": safely(async ({ sessionID, callID, tool, args }, output) => {
      const duration_ms = Date.now() - startedAt.get(callID)
      startedAt.delete(callID)
      const event = { ...call("PostToolUse", sessionID, callID, tool, args), duration_ms, tool_response: output }
      const text = heard(await hook("post-tool-use", event))
      if (text && typeof output.output === "string") output.output += "\n" + text
    }),
  }
}
