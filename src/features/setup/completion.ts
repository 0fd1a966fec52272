/** `cb completion …` */

import type { CommandContext } from '../../shell/command-context.ts';
import {
  install as installAt,
  installationOf,
  type ShellName,
  shellNamed,
  shellNames,
  shells,
} from '../../shell/completion/shells.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import { writeTo } from '../../shell/display/sink.ts';

const print = (name: ShellName) =>
  command({
    words: `completion ${name}`,
    summary: `Print the script for ${shells[name].title}`,
    help: { examples: [`cb completion ${name}`] },
    run: ({ context }) => writeTo(context, undefined, (sink) => sink.write(shells[name].script)),
  });

const install = command({
  words: 'completion install',
  summary: 'Install the completion script for your shell',
  args: { '[shell]': `One of ${shellNames.join(', ')} (default: from $SHELL)` },
  options: { yes: ['-y, --yes', 'For PowerShell, also add the line to your profile'] },
  help: { examples: ['cb completion install', 'cb completion install fish'], effect: 'writes' },
  run: (cmd, { shell, yes = false }) => installScript(cmd, shell, yes),
});

export const completion: GroupSpec = {
  words: 'completion',
  help: {
    notes: ['The shell completes commands, options, their values, and the names of profiles.'],
    examples: ['cb completion install', 'cb completion zsh > ~/.zfunc/_cb'],
  },
  commands: [...shellNames.map(print), install],
};

async function installScript(
  { context, messages }: CommandContext,
  typed: string | undefined,
  yes: boolean,
): Promise<void> {
  const name = shellNamed(typed, context);
  const installation = installationOf(name, context);
  const { line, file, note } = installation;
  if (line !== undefined && !yes) {
    await writeTo(context, undefined, (sink) => sink.write(`${line}\n`));
    messages.say(`Add this line to ${file}, or pass --yes to let cb add it.`);
    return;
  }
  const isThere = installAt(installation, shells[name].script);
  messages.say(isThere ? `${file} is up to date.` : `Wrote ${file}.`);
  if (note !== undefined) messages.say(note);
}
