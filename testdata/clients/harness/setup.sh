#!/bin/bash
# setup.sh CLIENT: installs a client from npm below the folder APP, unless it is there.
set -e
mkdir -p "$APP"
export HOME=$APP/.npm-home npm_config_cache=$APP/.npm-cache
package() { [ -d "$APP/$1/node_modules" ] || npm install --prefix "$APP/$1" "$2"; }
case $1 in
claude) package claude @anthropic-ai/claude-code@2.1.329 ;;
codex) package codex @openai/codex@0.169.0 ;;
gemini) package gemini @google/gemini-cli@0.61.0 ;;
opencode)
	package opencode opencode-ai@1.18.33
	package opencode-plugin @opencode-ai/plugin@1.18.33
	;;
qwen)
	package node22 node@22
	package qwen @qwen-code/qwen-code@0.24.4
	;;
copilot)
	package node22 node@22
	package copilot @github/copilot@1.0.102
	# The client unpacks itself on its first start. That is kept for all throw-away homes.
	[ -d "$APP/copilot-cache" ] || {
		PATH="$APP/node22/node_modules/.bin:$PATH" "$APP/copilot/node_modules/.bin/copilot" --version
		mv "$HOME/.cache/copilot" "$APP/copilot-cache"
	}
	;;
*)
	echo "unknown client $1" >&2
	exit 2
	;;
esac
