/** `cb completion …`: prints the scripts, or puts them where a shell looks for them. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type ShellName, scriptOf, shellNames, shells } from '../../shell/completion/shells.ts';
import type { Context } from '../../shell/context.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import { usage } from '../../shell/failure.ts';
import { homeOf } from '../../shell/folders.ts';
import { makeFolder, shownCode } from '../../storage/files.ts';
import { absoluteFrom } from '../../storage/standard-folder.ts';

const print = (name: ShellName) =>
  command({
    words: `completion ${name}`,
    summary: `Print the script for ${shells[name].title}`,
    help: { examples: [`cb completion ${name}`] },
    run: async () => scriptOf(name),
  });

const installCommand = command({
  words: 'completion install',
  summary: 'Install the completion script for your shell',
  args: { '[shell]': `One of ${shellNames.join(', ')} (default: from $SHELL)` },
  options: { yes: ['-y, --yes', 'For PowerShell, also add the line to your profile'] },
  help: { examples: ['cb completion install', 'cb completion install fish'], effect: 'writes' },
  async run({ context, messages }, { shell, yes }) {
    const name = shellNamed(shell, context);
    const { line, file, note } = installationOf(name, context);
    if (line !== undefined && !yes) {
      messages.say(`Add this line to ${file}, or pass --yes to let cb add it:`);
      return line;
    }
    const isThere = install(file, scriptOf(name), line);
    messages.say(isThere ? `${file} is up to date.` : `Wrote ${file}.`);
    if (note !== undefined) messages.say(note);
    return undefined;
  },
});

export const completion: GroupSpec = {
  words: 'completion',
  help: {
    notes: ['The shell completes commands, options, their values, and the names of profiles.'],
    examples: ['cb completion install', 'cb completion zsh > ~/.zfunc/_cb'],
  },
  commands: [...shellNames.map(print), installCommand],
};

function shellNamed(typed: string | undefined, { env, platform }: Context): ShellName {
  const name = typed ?? (env.SHELL ? basename(env.SHELL) : undefined);
  if (name === undefined && platform === 'win32') return 'powershell';
  const found = shellNames.find((one) => one === (name === 'pwsh' ? 'powershell' : name));
  if (found) return found;
  const own =
    name === undefined ? '$SHELL is not set.' : `$SHELL is ${name}, which cb can't complete.`;
  const what = typed === undefined ? own : `Unknown shell '${typed}'.`;
  throw usage(what, { hint: `Use one of ${shellNames.join(', ')}.` });
}

/** The file, a line to add to it if it does not hold the script alone, and what the user still has to do. */
function installationOf(shell: ShellName, context: Context) {
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
function install(file: string, script: string, line: string | undefined): boolean {
  const before = textOf(file);
  if (line === undefined ? before === script : before.split(/\r?\n/).includes(line)) return true;
  const start = before === '' || before.endsWith('\n') ? '' : '\n';
  try {
    makeFolder(dirname(file), 0o777);
    // What the user has there stays, also if it is not UTF-8 or the disk is full.
    if (line !== undefined) appendFileSync(file, `${start}${line}\n`);
    else writeFileSync(file, script);
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
