/** `cb completion …` */

import {
  install as installAt,
  installationOf,
  type ShellName,
  scriptOf,
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
    run: ({ context }) => writeTo(context, undefined, (sink) => sink.write(scriptOf(name))),
  });

const install = command({
  words: 'completion install',
  summary: 'Install the completion script for your shell',
  args: { '[shell]': `One of ${shellNames.join(', ')} (default: from $SHELL)` },
  options: { yes: ['-y, --yes', 'For PowerShell, also add the line to your profile'] },
  help: { examples: ['cb completion install', 'cb completion install fish'], effect: 'writes' },
  async run({ context, messages }, { shell, yes }) {
    const name = shellNamed(shell, context);
    const installation = installationOf(name, context);
    const { line, file, note } = installation;
    if (line !== undefined && !yes) {
      await writeTo(context, undefined, (sink) => sink.write(`${line}\n`));
      messages.say(`Add this line to ${file}, or pass --yes to let cb add it.`);
      return;
    }
    const isThere = installAt(installation, scriptOf(name));
    messages.say(isThere ? `${file} is up to date.` : `Wrote ${file}.`);
    if (note !== undefined) messages.say(note);
  },
});

export const completion: GroupSpec = {
  words: 'completion',
  help: {
    notes: ['The shell completes commands, options, their values, and the names of profiles.'],
    examples: ['cb completion install', 'cb completion zsh > ~/.zfunc/_cb'],
  },
  commands: [...shellNames.map(print), install],
};
