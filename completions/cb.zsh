#compdef cb
# Completion of cb for zsh, printed by `cb completion zsh`.
_cb() {
  local line word described=() options=()
  for line in "${(@f)$("${(Q)words[1]/#\~/$HOME}" __complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null </dev/null)}"; do
    case $line in
      :files) compset -P 1 '--*='; _files; return ;;
      :list) options=(-qS ,) ;;
      ?*)
        word=${${line%%$'\t'*}//:/\\:}
        [[ $line == *$'\t'* ]] && word+=:${line#*$'\t'}
        described+=($word)
        ;;
    esac
  done
  _describe -t values value described $options
}

# A file in fpath is called at once; a sourced file registers the function.
if [[ $funcstack[1] == _cb ]]; then _cb "$@"; else compdef _cb cb; fi
