/** The completion script of bash. */
import { posixData } from './posix-data.ts';
import type { Table } from './table.ts';

/** Runs in bash 3.2, which macOS brings along: neither mapfile nor compopt is relied on. */
export function bashScript(table: Table): string {
  return `${head}\n${posixData(table)}\n${walk}\n${offer}\n${end}`;
}

const head = `# Completion of cb for bash; made by \`cb completion bash\`.
`;

/** Finds command, flag and argument that the word at the cursor belongs to. */
const walk = `# bash breaks words at = and :, which stand inside of values.
_cb_split() {
  local i word
  typed=("\${COMP_WORDS[0]}") at=0
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((at > 0)) && [[ $word == [=:] || \${COMP_WORDS[i-1]} == [=:] ]]; then
      typed[at]+=$word
    else
      typed[++at]=$word
    fi
  done
}

# Sets takes to what the flag $1 takes.
_cb_takes() {
  local set lines line
  takes=''
  for set in 0 $sets; do
    _cb_set "$set"
    while IFS= read -r line; do
      [[ $line == "$1"$'\\t'* ]] || continue
      line=\${line#*$'\\t'}
      takes=\${line%%$'\\t'*}
      return
    done <<<"$lines"
  done
}

_cb_below() { [[ $'\\n'$below == *$'\\n'"$1"$'\\t'* ]]; }

# Sets path, count (of arguments), takes (of the flag before), ended (by --).
_cb_walk() {
  local i word
  _cb_command ''
  for ((i = 1; i < at; i++)); do
    word=\${typed[i]}
    if [[ $takes ]]; then takes=''
    elif [[ ! $ended && $word == -- ]]; then ended=1
    elif [[ ! $ended && $word == -?* ]]; then [[ $word == *=* ]] || _cb_takes "$word"
    elif ((count == 0)) && _cb_below "$word"; then
      path="\${path:+$path }$word"
      _cb_command "$path"
    else ((count++))
    fi
  done
}
`;

const offer = `_cb_offer() {
  local line word meaning widest=0 i found=() meanings=() before=''
  if [[ $2 =~ ^(several|ask): && $cur == *,* ]]; then before=\${cur%,*}, cur=\${cur##*,}; fi
  while IFS= read -r line; do
    word=\${line%%$'\\t'*}
    [[ $word && $word == "$cur"* ]] || continue
    meaning=''
    [[ $line == *$'\\t'* ]] && meaning=\${line##*$'\\t'}
    found+=("$before$word") meanings+=("$meaning")
    ((\${#word} > widest)) && widest=\${#word}
  done <<<"$1"
  for ((i = 0; i < \${#found[@]}; i++)); do
    # Meanings are shown, never typed: only in a list of several.
    if [[ \${#found[@]} -gt 1 && $COMP_TYPE =~ ^(33|63|64)$ && \${meanings[i]} ]]; then
      printf -v line '%-*s  (%s)' $((widest + \${#before})) "\${found[i]}" "\${meanings[i]}"
      COMPREPLY+=("$line")
    else
      COMPREPLY+=("\${found[i]}")
    fi
  done
}

_cb_source() {
  local lines=''
  case $1 in
  values:* | several:*) _cb_values "\${1#*:}" ;;
  ask:*)
    lines=$("\${typed[0]/#\\~/$HOME}" __complete "\${1#*:}" -- "\${typed[@]:1:at-1}" 2>/dev/null </dev/null)
    ;;
  files)
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
    ;;
  esac
  [[ $lines ]] && _cb_offer "$lines" "$1"
}

_cb_flags() {
  local set lines all=''
  for set in $sets 0; do
    _cb_set "$set"
    all+=$lines$'\\n'
  done
  _cb_offer "$all"
}

# The argument at the cursor; the last one may go on.
_cb_place() {
  local all=($places)
  ((count >= \${#all[@]})) && [[ $goes_on ]] && count=$((\${#all[@]} - 1))
  ((count < \${#all[@]})) && _cb_source "\${all[count]}"
}

_cb_complete() {
  if [[ $takes ]]; then _cb_source "$takes"
  elif [[ ! $ended && $cur == --*=* ]]; then
    _cb_takes "\${cur%%=*}"
    cur=\${cur#*=}
    _cb_source "$takes"
  elif [[ ! $ended && $cur == -* ]]; then _cb_flags
  elif ((count == 0)) && [[ $below ]]; then _cb_offer "$below"
  else _cb_place
  fi
}

# What stands before the last break is on the line already.
_cb_trim() {
  local i kept=\${cur%"\${cur##*[=:]}"}
  [[ $kept && $COMP_WORDBREAKS == *:* ]] || return
  for ((i = 0; i < \${#COMPREPLY[@]}; i++)); do COMPREPLY[i]=\${COMPREPLY[i]#"$kept"}; done
}
`;

const end = `_cb() {
  local IFS=$' \\t\\n' typed at path='' count=0 takes='' ended='' below sets places goes_on cur line
  COMPREPLY=()
  _cb_split
  cur=\${typed[at]}
  _cb_walk
  _cb_complete
  _cb_trim
}

complete -F _cb cb
`;
