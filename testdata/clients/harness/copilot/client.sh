# Copilot CLI: OpenAI's chat completions, with a key of one's own. The flag stands for the person
# who trusts the folder. The client also reads the project's settings of Claude Code: both are
# registered, and nothing may happen twice.
CLIENT_PATH=$APP/node22/node_modules/.bin:$APP/copilot/node_modules/.bin
CLIENT_ENV=(COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:$PORT/v1 COPILOT_PROVIDER_API_KEY=stub COPILOT_MODEL=stub-model
	COPILOT_PROVIDER_WIRE_API=completions COPILOT_OFFLINE=true COPILOT_AUTO_UPDATE=false NO_COLOR=1)
REGISTER=${REGISTER:-copilot,claude-code}
client_config() {
	mkdir -p /home/dev/.copilot /home/dev/.cache
	ln -sfn "$APP/copilot-cache" /home/dev/.cache/copilot
}
# From a marketplace in a folder, the client reads the files where they are; from a repository it copies them, as here.
client_extension() { envrun copilot plugin install "$EXTENSIONS/copilot/plugins/memctl"; }
client_command() { CMD=(copilot --allow-all-tools --output-format json --no-color --trust-folder -p "$1"); }
