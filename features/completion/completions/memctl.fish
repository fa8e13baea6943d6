function __memctl_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    $words[1] complete -- $words[2..-1] "$typed" 2>/dev/null
end
complete -c memctl -a '(__memctl_complete)'
