# Completion of cb for bash, printed by `cb completion bash`.
_cb() {
  local i at=0 typed=() line word words=() meanings=() widest=0 current flag='' inserted
  # bash splits words at = and :, which can be part of a value.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    if ((at > 0)) && [[ ${COMP_WORDS[i]} == [=:] || ${COMP_WORDS[i-1]} == [=:] ]]; then
      typed[at]+=${COMP_WORDS[i]}
    else
      typed[++at]=${COMP_WORDS[i]}
    fi
  done
  current=${typed[at]}
  while IFS= read -r line; do
    case $line in
      :list) compopt -o nospace 2>/dev/null ;;
      :files)
        compopt -o filenames 2>/dev/null
        [[ $current == --*=* ]] && flag=${current%%=*}=
        while IFS= read -r word; do words+=("$flag$word"); done < <(compgen -f -- "${current#"$flag"}")
        ;;
      "$current"*)
        word=${line%%$'\t'*}
        words+=("$word") meanings+=("${line#"$word"}")
        ((${#word} > widest)) && widest=${#word}
        ;;
    esac
  done < <("${COMP_WORDS[0]/#\~/$HOME}" __complete -- "${typed[@]}" 2>/dev/null </dev/null)
  # The part before the last = or : is already on the line.
  inserted=${current%"${COMP_WORDS[COMP_CWORD]#[=:]}"}
  COMPREPLY=()
  for ((i = 0; i < ${#words[@]}; i++)); do
    word=${words[i]}
    # Show meanings only in a list of several words, because nothing is inserted from it.
    if ((${#words[@]} > 1)) && [[ $COMP_TYPE =~ ^(33|63|64)$ && ${meanings[i]} ]]; then
      printf -v word '%-*s  (%s)' "$widest" "$word" "${meanings[i]#?}"
    fi
    COMPREPLY+=("${word#"$inserted"}")
  done
}

complete -F _cb cb
