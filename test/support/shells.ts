/** Reads the completions that a real shell offers for a line. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binFolder } from './binary.ts';

const folder = fileURLToPath(new URL('../../completions', import.meta.url));

export type TestedShell = 'bash' | 'zsh' | 'fish';

export function isInstalled(shell: TestedShell): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

/** The words and descriptions shown or inserted when Tab is pressed at the end of each line. */
export function pressTab(shell: TestedShell, home: string, lines: readonly string[]): string[] {
  const typed = shell === 'bash' ? lines.flatMap(bashWords) : lines;
  const script = join(folder, `cb.${shell}`);
  const PATH = `${binFolder(home)}:${process.env.PATH}`;
  const shown = execFileSync(shell, [...programs[shell], script, ...typed], {
    cwd: home,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
    env: { PATH, NODE_OPTIONS: process.env.NODE_OPTIONS, HOME: home, TERM: 'dumb' },
  });
  return shown.split('\x1e').slice(0, lines.length);
}

/** Splits a line as readline does, at spaces and around = and :, preceded by the number of words. */
function bashWords(line: string): string[] {
  const words = [...(line.match(/[=:]|[^\s=:]+/g) ?? []), ...(line.endsWith(' ') ? [''] : [])];
  return [`${words.length}`, ...words];
}

/** 63 stands for a second Tab, which shows the list. */
const bashProgram = `
source "$1"; shift
while (($# > 0)); do
  COMP_WORDS=("\${@:2:$1}") COMP_CWORD=$(($1 - 1)) COMP_TYPE=63
  _cb
  printf '%s\\n' "\${COMPREPLY[@]}" $'\\x1e'
  shift $(($1 + 1))
done
`;

/** Types a real Tab in a separate shell on its own terminal. */
const zshProgram = `
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1= LISTMAX=9999; unsetopt list_ambiguous; stty rows 300 cols 300; autoload -Uz compinit; compinit -u -D; source '$1'; finish() { print -r -- "<$BUFFER>"EN""D; BUFFER= }; zle -N finish; bindkey "^G" finish; zle-line-init() { print READ""Y }; zle -N zle-line-init'
zpty -r z out '*READY*'
shift
for line in "$@"; do
  zpty -n -w z "$line"$'\\t\\a'
  zpty -r z out '*>END*'
  print -r -- $out | sed $'s/\\x1b\\\\[[0-9;?]*[A-Za-z]//g' | tr -d '\\r'
  print $'\\x1e'
done
`;

const fishProgram = `
source $argv[1]
for line in $argv[2..-1]
  complete -C $line
  printf '\\x1e\\n'
end
`;

const programs: Readonly<Record<TestedShell, readonly string[]>> = {
  bash: ['--norc', '-c', bashProgram, 'bash'],
  zsh: ['-f', '-c', zshProgram, 'zsh'],
  fish: ['--no-config', '-c', fishProgram],
};
