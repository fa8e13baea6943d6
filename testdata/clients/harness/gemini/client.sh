# Gemini CLI. The variable stands for the person who trusts the folder.
CLIENT_PATH=$APP/gemini/node_modules/.bin
CLIENT_ENV=(GEMINI_API_KEY=stub GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:$PORT GEMINI_CLI_NO_RELAUNCH=true NO_COLOR=1 GEMINI_CLI_TRUST_WORKSPACE=true)
client_config() {
	mkdir -p /home/dev/.gemini
	cat >/home/dev/.gemini/settings.json <<J
{
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false, "previewFeatures": false},
  "privacy": {"usageStatisticsEnabled": false},
  "model": {"name": "gemini-2.5-pro"}
}
J
}
client_extension() { envrun gemini extensions install "$EXTENSIONS/gemini" --consent; }
client_command() { CMD=(gemini -m gemini-2.5-pro --approval-mode yolo --output-format stream-json -p "$1"); }
