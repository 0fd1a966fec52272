/** The built program on a terminal of its own, which `script` of util-linux makes. */
import { spawnSync } from 'node:child_process';
import { binary, type Running, type StartOptions, shell } from './binary.ts';

export const hasTerminals = /util-linux/.test(
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '',
);

/** Runs a line of the shell, in which `cb` is the program, on a terminal of 80 columns and 24 lines. */
export function onTerminal(line: string, options: StartOptions = {}): Running {
  const program = `cb() { '${process.execPath}' '${binary}' "$@"; }`;
  // Like a shell at a prompt, it survives Ctrl-C.
  const inner = `trap : INT; stty rows 24 cols 80; ${program}; ${line}; echo "code $?"`;
  const quoted = inner.replaceAll("'", "'\\''");
  const env = { TERM: 'xterm-256color', SHELL: '/bin/sh', ...options.env };
  return shell(`exec script -qec '${quoted}' /dev/null`, {
    stdin: { open: true },
    ...options,
    env,
  });
}
