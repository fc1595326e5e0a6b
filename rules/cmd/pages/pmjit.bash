# Completion of pmjit for bash: verbs, options, their values, files, archives, metrics.
# The words come from the program (rules/cmd/describe.cc); a line: verb, word, what follows it.

_pmjit_words='
#@words
'

# The words of verb $1 whose kind matches $2.
_pmjit_of() {
  local verb word kind
  while read -r verb word kind; do
    [[ $verb == "$1" && $kind == $2 ]] && printf '%s\n' "$word"
  done <<< "$_pmjit_words"
}

# What follows the word $2 of verb $1.
_pmjit_kind() {
  local verb word kind
  while read -r verb word kind; do
    [[ $verb == "$1" && $word == "$2" ]] && printf '%s\n' "$kind"
  done <<< "$_pmjit_words"
}

# Words of the list $1 that begin with $cur, behind $prefix.
_pmjit_reply() {
  local word
  while IFS= read -r word; do
    [[ -n $word && $word == "$cur"* ]] && COMPREPLY+=("$prefix$word")
  done <<< "$1"
}

_pmjit_paths() {
  compopt -o filenames 2> /dev/null
  local path
  while IFS= read -r path; do
    [[ -n $path ]] && COMPREPLY+=("$prefix$path")
  done <<< "$1"
}

_pmjit_files() {
  _pmjit_paths "$(compgen -f -- "$cur")"
}

# Base names of archives, and folders. Several may stand in one word, with commas.
_pmjit_archives() {
  if [[ $cur == *,* ]]; then
    prefix+=${cur%,*},
    cur=${cur##*,}
  fi
  local file names=
  for file in "$cur"*.index "$cur"*.meta "$cur"*.0; do
    [[ -e $file ]] && names+=${file%.*}$'\n'
  done
  _pmjit_paths "$({ echo -n "$names"; compgen -d -- "$cur"; } | sort -u)"
}

_pmjit_zones() {
  local folder=${TZDIR:-/usr/share/zoneinfo}
  _pmjit_reply "$(cd "$folder" 2> /dev/null && compgen -f -- "$cur" | sed 's,^\./,,')"
}

# Names of metrics in the archive of -a, if there is one; as pminfo lists them.
_pmjit_metrics() {
  local at archive=
  for ((at = 1; at < COMP_CWORD; ++at)); do
    case ${COMP_WORDS[at]} in
      -a | --archive) archive=${COMP_WORDS[at + 1]} ;;
    esac
    [[ $archive == = ]] && archive=${COMP_WORDS[at + 2]}
  done
  [[ -n $archive ]] || return
  local program
  program=$(type -P -- "${COMP_WORDS[0]}") || return
  _pmjit_reply "$(exec -a pminfo "$program" -a "$archive" 2> /dev/null)"
}

# Codes of messages, once one is begun: `explain` without an archive takes them.
_pmjit_codes() {
  [[ $verb == *explain && $cur == [A-Z]* && " ${COMP_WORDS[*]}" != *' -a'* ]] || return
  _pmjit_reply "$("${COMP_WORDS[0]}" explain codes | sed -n 's/^  \([A-Z][0-9]*\) .*/\1/p')"
}

# Reports of -p, and files of the user's own.
_pmjit_reports() {
  _pmjit_reply "$("${COMP_WORDS[0]}" explain reports 2> /dev/null | sed -n '/^$/q; s/ .*//p')"
  [[ $cur == */* || $cur == *.* ]] && _pmjit_files
}

# What stands in the place of kind $1.
_pmjit_complete() {
  case $1 in
    =*) _pmjit_reply "$(tr , '\n' <<< "${1#=}")" ;;
    ARCHIVE) _pmjit_archives ;;
    FILE) _pmjit_files ;;
    TZ) _pmjit_zones ;;
    REPORT) _pmjit_reports ;;
    EXPR)
      _pmjit_metrics
      _pmjit_codes
      ;;
  esac
}

_pmjit() {
  local cur=${COMP_WORDS[COMP_CWORD]} prefix= verb=pmjit at kind word
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; ++at)); do
    word=${COMP_WORDS[at]}
    [[ $(_pmjit_kind "$verb" "$word") == verb ]] && verb+=-$word
  done
  # `--option=value` is three words where = parts them.
  local option=${COMP_WORDS[COMP_CWORD - 1]}
  if [[ $option == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $cur == = && $option == --* ]]; then
    cur=
  elif [[ $cur == --*=* ]]; then
    option=${cur%%=*}
    prefix=$option=
    cur=${cur#*=}
  fi
  kind=$(_pmjit_kind "$verb" "$option")
  if [[ -n $kind && $kind != - && $kind != verb ]]; then
    _pmjit_complete "$kind"
  elif [[ $cur == -* ]]; then
    _pmjit_reply "$(_pmjit_of "$verb" '[!v]*' | grep '^-')"
  else
    _pmjit_reply "$(_pmjit_of "$verb" verb)"
    for kind in $(_pmjit_kind "$verb" .); do _pmjit_complete "$kind"; done
  fi
}

# PCP's tools as which the program can be called: their options are what their --help tells.
_pmjit_dropin() {
  local cur=${COMP_WORDS[COMP_CWORD]} prefix=
  COMPREPLY=()
  case ${COMP_WORDS[COMP_CWORD - 1]} in
    -a | --archive | --archive-list) _pmjit_archives ;;
    -n | --namespace | -N | --uniqnames | -c | --config | --derived | --archive-folio) _pmjit_files ;;
    -Z | --timezone) _pmjit_zones ;;
    *)
      if [[ $cur == -* ]]; then
        _pmjit_reply "$("${COMP_WORDS[0]}" --help 2>&1 | sed -n 's/^  \(-.*\)/\1/p' |
            grep -oE '^-[^ ,]|--[A-Za-z-]+' | sort -u)"
      else
        case ${COMP_WORDS[0]##*/} in
          pmdumplog) _pmjit_archives ;;
          pmgenmap | pmie) _pmjit_files ;;
          pminfo | pmprobe | pmval) _pmjit_metrics ;;
        esac
      fi
      ;;
  esac
}

complete -F _pmjit pmjit
for _pmjit_name in dbpmda pmcd pmdumplog pmerr pmgenmap pmie pminfo pmprobe pmstore pmval; do
  complete -p "$_pmjit_name" &> /dev/null || complete -F _pmjit_dropin "$_pmjit_name"
done
unset _pmjit_name
