/** The completion scripts, which show what `cb __complete -- WORDS…` prints, and where a shell looks for them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { shownCode } from '../../storage/error-code.ts';
import { makeFolder } from '../../storage/folder.ts';
import { absoluteFrom } from '../../storage/standard-folder.ts';
import type { Context } from '../context.ts';
import { usage } from '../failure.ts';
import { homeOf } from '../folders.ts';

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

export function scriptOf(shell: ShellName): string {
  const { file } = shells[shell];
  return typeof CB_SCRIPTS === 'undefined'
    ? readFileSync(new URL(`../../../completions/${file}`, import.meta.url), 'utf8')
    : JSON.parse(CB_SCRIPTS)[file];
}

export type ShellName = keyof typeof shells;

export const shellNames = Object.keys(shells) as ShellName[];

export interface Installation {
  readonly file: string;
  /** A line to add to the file; if absent, the file holds the script alone. */
  readonly line?: string;
  /** What the user still has to do. */
  readonly note?: string;
}

/** Throws a usage failure for an unknown shell. */
export function shellNamed(typed: string | undefined, { env, platform }: Context): ShellName {
  const name = typed ?? (env.SHELL ? basename(env.SHELL) : undefined);
  if (name === undefined && platform === 'win32') return 'powershell';
  const found = shellNames.find((one) => one === (name === 'pwsh' ? 'powershell' : name));
  if (found) return found;
  const own =
    name === undefined ? '$SHELL is not set.' : `$SHELL is ${name}, which cb can't complete.`;
  const what = typed === undefined ? own : `Unknown shell '${typed}'.`;
  throw usage(what, { hint: `Use one of ${shellNames.join(', ')}.` });
}

export function installationOf(shell: ShellName, context: Context): Installation {
  const folder = (variable: string, usual: string) =>
    absoluteFrom(context, variable) ?? join(homeOf(context), usual);
  if (shell === 'bash') {
    const file = join(folder('XDG_DATA_HOME', '.local/share'), 'bash-completion/completions/cb');
    const note = `New shells use it if the package bash-completion is installed. Otherwise add this line to ~/.bashrc:\n  source ${file}`;
    return { file, note };
  }
  if (shell === 'fish') {
    return { file: join(folder('XDG_CONFIG_HOME', '.config'), 'fish/completions/cb.fish') };
  }
  if (shell === 'zsh') {
    const file = join(homeOf(context), '.zfunc/_cb');
    const settings = join(folder('ZDOTDIR', ''), '.zshrc');
    if (textOf(settings).includes('.zfunc')) return { file };
    const note = `Add these lines to ${settings}, before any call of compinit:\n  fpath=(~/.zfunc $fpath)\n  autoload -Uz compinit && compinit`;
    return { file, note };
  }
  const profiles =
    context.platform === 'win32'
      ? join(homeOf(context), 'Documents/PowerShell')
      : join(folder('XDG_CONFIG_HOME', '.config'), 'powershell');
  const file = join(profiles, 'Microsoft.PowerShell_profile.ps1');
  return { file, line: 'cb completion powershell | Out-String | Invoke-Expression' };
}

/** Returns true if the file was up to date. Throws a usage failure if it can't be written. */
export function install({ file, line }: Installation, script: string): boolean {
  const before = textOf(file);
  if (line === undefined ? before === script : before.split(/\r?\n/).includes(line)) return true;
  const start = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  try {
    makeFolder(dirname(file), 0o777);
    writeFileSync(file, line === undefined ? script : `${start}${line}\n`);
  } catch (cause) {
    throw usage(`${file} can't be written (${shownCode(cause)}).`, {
      cause,
      hint: 'To print the script instead, run cb completion with the name of the shell.',
    });
  }
  return false;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
