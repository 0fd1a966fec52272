# Completion of cb for fish, printed by `cb completion fish`.
function __cb_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (command $words[1] __complete -- $words[2..-1] "$current" 2>/dev/null </dev/null)
        switch $line
            case :files
                set -l flag (string match -r '^--[^=]*=' -- $current)
                printf "$flag%s\n" (__fish_complete_path (string replace -- "$flag" '' "$current"))
            case ':*'
            case '*'
                echo $line
        end
    end
end

complete -c cb -f -k -a '(__cb_complete)'
