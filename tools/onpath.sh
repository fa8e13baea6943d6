#!/bin/sh
# Says how the folder of "go install" comes onto the PATH, unless the PATH finds the program there: onpath.sh PROGRAM
folder=$(go env GOBIN)
folder=${folder:-$(go env GOPATH | cut -d: -f1)/bin}
found=$(command -v "$1")
if [ "$found" = "$folder/$1" ]; then
	exit 0
fi
if [ -n "$found" ]; then
	echo "$1 is in $folder, but your PATH finds $found first. Type:"
else
	echo "$1 is in $folder, which is not on your PATH. Type:"
fi
shell=${SHELL##*/}
profile=.profile
case $shell-$(uname) in
fish-*)
	echo "  fish_add_path --move '$folder'"
	exit 0
	;;
zsh-*) profile=.zshrc ;;
bash-Darwin) profile=.bash_profile ;;
bash-*) profile=.bashrc ;;
esac
echo "  echo 'export PATH=\"$folder:\$PATH\"' >> ~/$profile && . ~/$profile"
