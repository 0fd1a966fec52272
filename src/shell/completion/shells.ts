/** The completion scripts, which show what `cb __complete -- WORDS…` prints. */
import { readFileSync } from 'node:fs';

/** The scripts of the folder `completions/` as JSON, by file; the build defines them. */
declare const CB_SCRIPTS: string | undefined;

/**
 * `file` is in the folder completions/. The script for bash also runs in bash 3.2, the version on macOS, which lacks
 * compopt. PowerShell completes file names by itself if there are no candidates.
 */
export const shells = {
  bash: { title: 'bash 3.2 or newer', file: 'cb.bash' },
  zsh: { title: 'zsh 5 or newer', file: 'cb.zsh' },
  fish: { title: 'fish 3 or newer', file: 'cb.fish' },
  powershell: { title: 'PowerShell 5 or newer', file: 'cb.ps1' },
};

export type ShellName = keyof typeof shells;

export const shellNames = Object.keys(shells) as ShellName[];

export function scriptOf(shell: ShellName): string {
  return completionFile(shells[shell].file);
}

/** A file of the folder completions/. */
export function completionFile(file: string): string {
  return typeof CB_SCRIPTS === 'undefined'
    ? readFileSync(new URL(`../../../completions/${file}`, import.meta.url), 'utf8')
    : JSON.parse(CB_SCRIPTS)[file];
}
