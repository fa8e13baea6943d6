# Codex CLI: the Responses API. The person's approvals are made here: the project is trusted in
# the configuration, the hooks are by a flag.
CLIENT_PATH=$APP/codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin:$APP/codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/codex-path
CLIENT_ENV=(STUB_API_KEY=stub RUST_LOG=error)
client_config() {
	mkdir -p /home/dev/.codex
	cat >/home/dev/.codex/config.toml <<T
model = "gpt-5.5"
model_provider = "stub"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.stub]
name = "stub"
base_url = "http://127.0.0.1:$PORT/v1"
wire_api = "responses"
env_key = "STUB_API_KEY"
request_max_retries = 1
stream_max_retries = 1

[features]
enable_request_compression = false

[projects."/home/dev/proj"]
trust_level = "trusted"
T
}
client_extension() { envrun codex plugin marketplace add "$EXTENSIONS/codex" && envrun codex plugin add memctl@memctl; }
client_command() { CMD=(codex exec --json --dangerously-bypass-hook-trust --dangerously-bypass-approvals-and-sandbox "$1"); }
