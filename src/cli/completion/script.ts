/** The completion script of a shell, out of the whole command tree. */
import { topics } from '../help/topics.ts';
import type { Call } from '../runtime/command-context.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { powershellScript } from './powershell.ts';
import type { ShellName } from './shells.ts';
import { tableOf } from './table.ts';
import { readTree } from './tree.ts';
import { zshScript } from './zsh.ts';

const scripts = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** Loads every command, since all of them are in it. */
export async function completionScript(shell: ShellName, call: Call): Promise<string> {
  return scripts[shell](tableOf(await readTree(call), topics));
}
