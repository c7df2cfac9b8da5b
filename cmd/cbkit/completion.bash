# Files, but of a database its main file alone, unless that is lost.
_cbkit_files() {
  local name main list
  list=$(compgen -f -- "$1")
  while IFS= read -r name; do
    main=
    case "$name" in
%s    esac
    if [ -n "$name" ] && { [ -z "$main" ] || [ ! -e "${name%%.*}$main" ]; }; then
      COMPREPLY+=("$name")
    fi
  done <<< "$list"
  compopt -o filenames 2>/dev/null
}
_cbkit() {
  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= words= word last= n=0 lead=
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$last" in
      %s) last=; continue ;;
    esac
    last=$word
    case "${verb:+$verb }$word" in
%s    esac
    case "$word" in
      -?*) ;;
      *) n=$((n+1)) ;;
    esac
  done
  if [[ "$cur" == -* ]]; then
    case "$verb" in
%s    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  case "$verb $before" in
%s    *)
  case "$verb $n" in
%s  esac ;;
  esac
  if [ -z "$words" ]; then
    _cbkit_files "$cur"
    return
  fi
  if [[ "$cur" == *,* ]]; then
    lead=${cur%%,*},
  fi
  COMPREPLY=($(compgen -P "$lead" -W "$words" -- "${cur##*,}"))
}
complete -o default -o bashdefault -F _cbkit cbkit
