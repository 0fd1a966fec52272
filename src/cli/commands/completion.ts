/** `cb completion …` */
import { Argument, type Command, Option } from 'commander';
import { type ShellName, shellNames, shells } from '../completion/shells.ts';
import { writeTo } from '../display/sink.ts';
import { addHelp, type HelpText } from '../help/help-text.ts';
import { newCommand } from '../runtime/command.ts';
import {
  type Call,
  type CommandContext,
  type CommonFlags,
  contextFor,
} from '../runtime/command-context.ts';

interface InstallFlags extends CommonFlags {
  readonly yes?: boolean;
}

export function addCompletion(group: Command, call: Call): void {
  addHelp(group, () => helpText);
  for (const name of shellNames) addPrint(group, call, name);
  addInstall(group, call);
  addForget(group, call);
}

const helpText: HelpText = {
  notes: [
    'The shell completes commands, options and their values, profiles, and the receipts, ticket IDs, SKUs, image IDs and nicknames that you typed or saw before. Up to 50 of each are stored in a private file on this machine. To store none, use cb config set history off, or CB_NO_HISTORY=1.',
  ],
  examples: ['cb completion install', 'cb completion zsh > ~/.zfunc/_cb', 'cb completion forget'],
};

function addPrint(group: Command, call: Call, name: ShellName): void {
  const command = newCommand(call.context, name).description(
    `Print the completion script for ${shells[name].title}`,
  );
  command.action(async () => {
    await writeTo(call.context, undefined, (sink) => sink.write(shells[name].script));
  });
  addHelp(command, () => ({ examples: [`cb completion ${name}`] }));
  group.addCommand(command);
}

function addInstall(group: Command, call: Call): void {
  const command = newCommand(call.context, 'install')
    .description('Install the completion script for your shell')
    .addArgument(new Argument('[shell]', `${shellNames.join(', ')} (default: the shell in $SHELL)`))
    .addOption(new Option('-y, --yes', 'For PowerShell, add the line to the profile file'))
    .action(async (typed: string | undefined) => {
      const flags = command.optsWithGlobals<InstallFlags>();
      await installScript(contextFor(call, flags), typed, flags);
    });
  addHelp(command, () => ({ examples: ['cb completion install', 'cb completion install fish'] }));
  group.addCommand(command);
}

async function installScript(
  { context, messages }: CommandContext,
  typed: string | undefined,
  { yes }: InstallFlags,
): Promise<void> {
  const { install, installationOf, shellNamed } = await import('../completion/install.ts');
  const name = shellNamed(typed, context);
  const installation = installationOf(name, context);
  const { line, file, note } = installation;
  if (line !== undefined && !yes) {
    await writeTo(context, undefined, (sink) => sink.write(`${line}\n`));
    messages.say(`Add this line to ${file}, or run the command again with --yes.`);
    return;
  }
  const isThere = install(installation, shells[name].script);
  messages.say(isThere ? `${file} is up to date.` : `Wrote ${file}.`);
  if (note !== undefined) messages.say(note);
}

function addForget(group: Command, call: Call): void {
  const command = newCommand(call.context, 'forget')
    .description(
      'Delete the receipts, ticket IDs, SKUs, image IDs and nicknames stored for completion',
    )
    .action(async () => {
      const { messages, context } = contextFor(call, command.optsWithGlobals());
      const { forgetRecent } = await import('../endpoint/recent.ts');
      forgetRecent(context);
      messages.tell('Deleted all values that were stored for completion.');
    });
  addHelp(command, () => ({ examples: ['cb completion forget'] }));
  group.addCommand(command);
}
