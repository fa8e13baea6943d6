# Qwen Code: OpenAI's chat completions.
CLIENT_PATH=$APP/node22/node_modules/.bin:$APP/qwen/node_modules/.bin
CLIENT_ENV=(OPENAI_API_KEY=stub OPENAI_BASE_URL=http://127.0.0.1:$PORT/v1 OPENAI_MODEL=stub-model NO_COLOR=1)
client_config() {
	mkdir -p /home/dev/.qwen
	cat >/home/dev/.qwen/settings.json <<J
{
  "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": false}},
  "general": {"enableAutoUpdate": false, "disableAutoUpdate": true},
  "privacy": {"usageStatisticsEnabled": false},
  "model": {"name": "stub-model"}
}
J
}
client_extension() { envrun qwen extensions install "$EXTENSIONS/qwen" --consent; }
client_command() { CMD=(qwen --auth-type openai --approval-mode yolo --output-format stream-json "$1"); }
