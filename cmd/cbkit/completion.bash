_cbkit() {
  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= words= word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "${verb:+$verb }$word" in
%s    esac
  done
  case "$verb" in
%s  esac
  case "$verb $before" in
%s  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -o bashdefault -F _cbkit cbkit
