#compdef memctl
_memctl() {
    local -a found
    found=("${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -z "${found[1]}" ]]; then _files; return; fi
    found=("${(@)found//:/\\:}")
    found=("${(@)found/$'\t'/:}")
    _describe memctl found
}
if [[ "${funcstack[1]}" == _memctl ]]; then _memctl "$@"; else compdef _memctl memctl; fi
