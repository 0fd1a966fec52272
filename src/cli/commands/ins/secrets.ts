/** `cb ins secrets …`: the secret keys of notifications. */
import { Argument, type Command, Option } from 'commander';
import { helpGroups } from '../../flags/flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import type { AddSecretFlags } from '../../ins/secret-commands.ts';
import { addAction, newCommand } from '../../runtime/command.ts';
import type { Call, CommonFlags } from '../../runtime/command-context.ts';
import { addLocalCommands } from '../local-command.ts';

/** Other commands do not load what these do. */
const loadActions = () => import('../../ins/secret-commands.ts');

export function addSecrets(above: Command, call: Call): void {
  const group = newCommand(call.context, 'secrets').description(
    'Store, list and remove the secrets of notifications',
  );
  addHelp(group, () => ({
    notes: ['Secrets are tried in the order of their names. CB_INS_SECRET is tried first.'],
    examples: ['cb ins secrets add', 'cb ins secrets list'],
  }));
  addAdd(group, call);
  addLocalCommands(group, call, [
    {
      name: 'list',
      summary: 'List the names of the stored secrets',
      prints: 'rows',
      examples: ['cb ins secrets list', 'cb ins secrets list -o json'],
      run: async (cmd, flags) => (await loadActions()).listSecrets(cmd, flags),
    },
    {
      name: 'remove',
      summary: 'Remove a stored secret',
      args: { name: 'Name of the secret' },
      examples: ['cb ins secrets remove shop2'],
      effect: 'destroys',
      run: async (cmd, _, name) => (await loadActions()).removeSecret(cmd, name),
    },
  ]);
  above.addCommand(group);
}

const addText: HelpText = {
  notes: [
    'The secret key stands on the ClickBank website beside the URL of your receiver: at most 16 characters, capital letters and digits. No option takes it, because other users of the machine could see it.',
    'It is stored in a file that only you can read, or with --keychain in the keychain of the operating system.',
  ],
  examples: ['cb ins secrets add', 'cb ins secrets add shop2 --with-secret < secret.txt'],
  effect: 'writes',
};

function addAdd(group: Command, call: Call): void {
  const command = newCommand(call.context, 'add')
    .description('Store the secret key of an account')
    .addArgument(new Argument('[name]', 'Name of your choice (default: default)'));
  const options = [
    new Option('--with-secret', 'Read the secret from stdin instead of prompting'),
    new Option('--keychain', 'Store it in the keychain of the operating system'),
  ];
  for (const option of options) command.addOption(option.helpGroup(helpGroups.options));
  addHelp(command, () => addText);
  addAction<CommonFlags & AddSecretFlags>(command, call, async (cmd, flags, name) => {
    const { addSecret } = await loadActions();
    await addSecret(cmd, flags, name);
  });
  group.addCommand(command);
}
