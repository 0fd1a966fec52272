/** The completion script of zsh. */
import { posixData } from './posix-data.ts';
import type { Table } from './table.ts';

export function zshScript(table: Table): string {
  return `${head}\n${posixData(table)}\n${walk}\n${end}`;
}

const head = `#compdef cb
# Completion of cb for zsh; made by \`cb completion zsh\`.
`;

const walk = `# Sets takes to what the flag $1 takes.
_cb_takes() {
  local set lines line
  takes=''
  for set in 0 \${=sets}; do
    _cb_set $set
    for line in "\${(@f)lines}"; do
      [[ $line == "$1"$'\\t'* ]] || continue
      takes=\${\${line#*$'\\t'}%%$'\\t'*}
      return
    done
  done
}

_cb_below() { [[ $'\\n'$below == *$'\\n'"$1"$'\\t'* ]] }

# Sets path_, count (of arguments), takes (of the flag before), ended (by --).
_cb_walk() {
  local word
  _cb_command ''
  for word in "\${(@)words[2,CURRENT-1]}"; do
    word=\${(Q)word}
    if [[ -n $takes ]]; then takes=''
    elif [[ -z $ended && $word == -- ]]; then ended=1
    elif [[ -z $ended && $word == -?* ]]; then [[ $word == *=* ]] || _cb_takes $word
    elif ((count == 0)) && _cb_below $word; then
      path_="\${path_:+$path_ }$word"
      _cb_command $path_
    else ((count += 1))
    fi
  done
}

# Offers lines: a word first, what it means last. _cb_offer TAG OPTIONS
_cb_offer() {
  local line word described=() tag=$1
  shift
  for line in "\${(@f)lines}"; do
    [[ -n $line ]] || continue
    word=\${\${line%%$'\\t'*}//:/\\\\:}
    [[ $line == *$'\\t'?* ]] && word+=:\${line##*$'\\t'}
    described+=($word)
  done
  _describe -t $tag $tag described "$@"
}

_cb_source() {
  local lines=''
  case $1 in
  values:*) _cb_values \${1#*:} && _cb_offer values ;;
  several:*)
    compset -P '*,'
    _cb_values \${1#*:} && _cb_offer values -qS ,
    ;;
  ask:*)
    compset -P '*,'
    lines=$("\${(Q)words[1]/#\\~/$HOME}" __complete \${1#*:} -- "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null </dev/null)
    [[ -n $lines ]] && _cb_offer \${1#*:}
    ;;
  files) _files ;;
  *) return 1 ;;
  esac
}

_cb_flags() {
  local set lines all=''
  for set in \${=sets} 0; do
    _cb_set $set
    all+=$lines$'\\n'
  done
  lines=$all
  _cb_offer flags
}

# The argument at the cursor; the last one may go on.
_cb_place() {
  local all=(\${=places})
  ((count >= $#all)) && [[ -n $goes_on ]] && count=$(($#all - 1))
  ((count < $#all)) && _cb_source \${all[count+1]}
}
`;

const end = `_cb() {
  local path_='' count=0 takes='' ended='' below sets places goes_on lines
  local cur=\${(Q)words[CURRENT]}
  _cb_walk
  if [[ -n $takes ]]; then _cb_source $takes
  elif [[ -z $ended && $cur == --*=* ]]; then
    _cb_takes \${cur%%=*}
    compset -P 1 '*='
    _cb_source $takes
  elif [[ -z $ended && $cur == -* ]]; then _cb_flags
  elif ((count == 0)) && [[ -n $below ]]; then
    lines=$below
    _cb_offer commands
  else _cb_place
  fi
}

# Found in fpath, it is called at once; sourced, it makes itself known.
if [[ $funcstack[1] == _cb ]]; then _cb "$@"; else compdef _cb cb; fi
`;
