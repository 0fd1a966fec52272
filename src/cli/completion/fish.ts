/** The completion script of fish. */
import type { Candidate } from './candidates.ts';
import type { CommandEntry, FlagLine, Table } from './table.ts';

export function fishScript({ commands, sets, values }: Table): string {
  return [
    head,
    oneOf('__cb_below', commands, ({ path, words }) => [path, printed(words)]),
    oneOf('__cb_sets', commands, ({ path, sets }) => [path, echoed(sets)]),
    oneOf('__cb_places', commands, ({ path, places, goesOn }) => [
      path,
      echoed([...places, ...(goesOn ? ['...'] : [])]),
    ]),
    oneOf('__cb_set', sets, (set, number) => [`${number}`, printed(set)]),
    oneOf('__cb_values', values, (list, number) => [`${number}`, printed(list)]),
    walk,
    end,
  ].join('\n');
}

const head = `# Completion of cb for fish; made by \`cb completion fish\`.
`;

/** A function that writes the lines of one item; items without any are left out. */
function oneOf<Item>(
  name: string,
  items: readonly Item[],
  toCase: (item: Item, number: number) => readonly [key: string, then: string],
): string {
  const cases = items.map(toCase).filter(([, then]) => then !== '');
  const known = cases.map(([key, then]) => `        case ${quote(key)}\n            ${then}`);
  return [`function ${name}`, '    switch "$argv[1]"', ...known, '    end', 'end', ''].join('\n');
}

function printed(list: readonly (Candidate | FlagLine)[]): string {
  const [first] = list;
  if (!first) return '';
  const form = first.map(() => '%s').join('\\t');
  return `printf '${form}\\n' ${list.flat().map(quote).join(' ')}`;
}

function echoed(list: CommandEntry['sets'] | CommandEntry['places']): string {
  return list.length === 0 ? '' : `string split ' ' ${quote(list.join(' '))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}

const walk = `# What the flag takes: __cb_takes PATH FLAG
function __cb_takes
    for set in 0 (__cb_sets $argv[1])
        for line in (__cb_set $set)
            set -l parts (string split \\t -- $line)
            if test "$parts[1]" = "$argv[2]"
                echo $parts[2]
                return
            end
        end
    end
end

function __cb_flags
    for set in (__cb_sets $argv[1]) 0
        __cb_set $set | string replace -r '\\t[^\\t]*\\t' \\t
    end
end

# What may stand there: __cb_source REFERENCE WORDS
function __cb_source
    set -l kind (string split : -- $argv[1])
    set -l current (string replace -r '^--[^=]*=' '' -- (commandline -ct))
    # Several values stand behind one another with commas.
    set -l before (string match -r '^.*,' -- $current)
    switch "$kind[1]"
        case values
            __cb_values $kind[2]
        case several
            for line in (__cb_values $kind[2])
                echo "$before$line"
            end
        case ask
            set -l words $argv[2..-1]
            for line in (command $words[1] __complete $kind[2] -- $words[2..-1] 2>/dev/null </dev/null)
                echo "$before$line"
            end
        case files
            __fish_complete_path $current
    end
end
`;

const end = `function __cb_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l path ''
    set -l count 0
    set -l takes ''
    set -l ended ''
    for word in $words[2..-1]
        if test -n "$takes"
            set takes ''
        else if test -z "$ended"; and test "$word" = --
            set ended 1
        else if test -z "$ended"; and string match -q -- '-?*' $word
            string match -q -- '*=*' $word; or set takes (__cb_takes "$path" $word)
        else if test $count -eq 0; and contains -- $word (__cb_below "$path" | string replace -r '\\t.*' '')
            set path (string trim "$path $word")
        else
            set count (math $count + 1)
        end
    end
    set -l below (__cb_below "$path")
    if test -n "$takes"
        __cb_source $takes $words
    else if test -z "$ended"; and string match -qr -- '^--[^=]+=' $current
        set -l flag (string replace -r '=.*' '' -- $current)
        set -l takes (__cb_takes "$path" $flag)
        test -n "$takes"; or return
        for line in (__cb_source $takes $words)
            echo $flag=$line
        end
    else if test -z "$ended"; and string match -q -- '-*' $current
        __cb_flags "$path"
    else if test $count -eq 0; and test -n "$below[1]"
        printf '%s\\n' $below
    else
        __cb_place "$path" $count $words
    end
end

# The argument at the cursor, of which the last may go on: __cb_place PATH COUNT WORDS
function __cb_place
    set -l places (__cb_places $argv[1])
    set -l at (math $argv[2] + 1)
    if test "$places[-1]" = ...
        set -e places[-1]
        test $at -gt (count $places); and set at (count $places)
    end
    test $at -le (count $places); and __cb_source $places[$at] $argv[3..-1]
end

complete -c cb -f -k -a '(__cb_complete)'
`;
