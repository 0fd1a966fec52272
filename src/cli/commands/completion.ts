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
    'Besides commands, flags and their values, the shell offers profiles, and the receipts, ticket IDs, SKUs, image IDs and accounts that were shown or typed before. Those are stored on this machine only, 50 of each, in a private file. With cb config set history off, or CB_NO_HISTORY=1, none are stored.',
  ],
  examples: ['cb completion install', 'cb completion zsh > ~/.zfunc/_cb', 'cb completion forget'],
};

function addPrint(group: Command, call: Call, name: ShellName): void {
  const command = newCommand(call.context, name).description(
    `Print the script of ${shells[name].title}`,
  );
  command.action(async () => {
    await writeTo(call.context, undefined, (sink) => sink.write(shells[name].script));
  });
  addHelp(command, () => ({ examples: [`cb completion ${name}`] }));
  group.addCommand(command);
}

function addInstall(group: Command, call: Call): void {
  const command = newCommand(call.context, 'install')
    .description('Write the script to the file where the shell looks for it')
    .addArgument(
      new Argument('[shell]', `One of ${shellNames.join(', ')} (default: that of $SHELL)`),
    )
    .addOption(new Option('-y, --yes', 'For PowerShell, also add the line to the profile'))
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
    messages.say(`Add this line to ${file}, or run the command again with --yes to add it.`);
    return;
  }
  const isThere = install(installation, shells[name].script);
  messages.say(isThere ? `${file} is up to date.` : `Wrote ${file}.`);
  if (note !== undefined) messages.say(note);
}

function addForget(group: Command, call: Call): void {
  const command = newCommand(call.context, 'forget')
    .description(
      'Delete the receipts, ticket IDs, SKUs, image IDs and accounts stored for completion',
    )
    .action(async () => {
      const { messages, context } = contextFor(call, command.optsWithGlobals());
      const { forgetRecent } = await import('../endpoint/recent.ts');
      forgetRecent(context);
      messages.tell('Deleted all values stored for completion.');
    });
  addHelp(command, () => ({ examples: ['cb completion forget'] }));
  group.addCommand(command);
}
