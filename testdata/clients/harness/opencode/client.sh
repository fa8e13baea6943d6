# OpenCode: OpenAI's chat completions. A server runs, as under the terminal interface: "opencode
# run" alone ends with the answer and cannot be asked.
CLIENT_PATH=$APP/opencode/node_modules/opencode-linux-x64/bin
CLIENT_ENV=(OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_LSP_DOWNLOAD=1)
LINGER=8
client_config() {
	mkdir -p /home/dev/.config/opencode
	cat >/home/dev/.config/opencode/opencode.json <<J
{
  "model": "stub/stub-model",
  "small_model": "stub/stub-model",
  "autoupdate": false,
  "share": "disabled",
  "provider": {"stub": {"npm": "@ai-sdk/openai-compatible", "name": "stub",
    "options": {"baseURL": "http://127.0.0.1:$PORT/v1", "apiKey": "stub"},
    "models": {"stub-model": {"name": "Stub", "tool_call": true, "limit": {"context": 200000, "output": 8192}}}}}
}
J
	# The client installs a package into each folder with a plugin, and offline waits for it in vain.
	for folder in /home/dev/.config/opencode .opencode; do
		mkdir -p $folder
		cp "$APP"/opencode-plugin/package.json "$APP"/opencode-plugin/package-lock.json $folder/
		ln -sfn "$APP/opencode-plugin/node_modules" $folder/node_modules
	done
}
client_start() {
	envrun opencode serve --port 4096 --hostname 127.0.0.1 >"$OUT/serve.txt" 2>&1 &
	listening 4096
}
client_command() { CMD=(opencode run --format json --print-logs --log-level INFO --auto --attach http://127.0.0.1:4096 "$1"); }
