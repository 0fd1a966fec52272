/** `cb replies …`: saved replies to customers. */
import { Argument, type Command } from 'commander';
import type { ShowFlags } from '../flags/show-flags.ts';
import { addHelp } from '../help/help-text.ts';
import { addAction, newCommand } from '../runtime/command.ts';
import type { Call } from '../runtime/command-context.ts';
import { addLocalCommands } from './local-command.ts';

/** Written out, so that help does not load the replies. */
const placeholders =
  'Placeholders: {firstName}, {lastName}, {fullName}, {email}, {receipt}, {product}, {amount}, {ticketId}.';

/** Other commands do not load what these do. */
const loadActions = () => import('../queue/reply-commands.ts');

export function addReplies(group: Command, call: Call): void {
  addHelp(group, () => ({
    notes: [
      'cb tickets work offers the replies, fills in the placeholders, and shows the text before it is sent.',
      placeholders,
    ],
    examples: ["cb replies add thanks 'Thank you, {firstName}.'", 'cb replies list'],
  }));
  addAdd(group, call);
  addLocalCommands(group, call, [
    {
      name: 'list',
      summary: 'List the saved replies',
      prints: 'rows',
      examples: ['cb replies list', 'cb replies list -o json'],
      run: async (cmd, flags) => (await loadActions()).listReplies(cmd, flags),
    },
    {
      name: 'show',
      summary: 'Show the text of a saved reply',
      args: { name: 'Name of the reply' },
      prints: 'value',
      examples: ['cb replies show thanks'],
      run: async (cmd, flags, name) => (await loadActions()).showReply(cmd, flags, name),
    },
    {
      name: 'remove',
      summary: 'Remove a saved reply',
      args: { name: 'Name of the reply' },
      examples: ['cb replies remove thanks'],
      effect: 'writes',
      run: async (cmd, _, name) => (await loadActions()).removeReply(cmd, name),
    },
  ]);
}

function addAdd(group: Command, call: Call): void {
  const command = newCommand(call.context, 'add')
    .description('Add or change a saved reply')
    .addArgument(new Argument('<name>', 'Name of the reply'))
    .addArgument(new Argument('[text]', 'Text; - reads stdin (default: asks for it)'));
  addHelp(command, () => ({
    notes: [placeholders],
    examples: ["cb replies add thanks 'Thank you, {firstName}.'"],
    effect: 'writes',
  }));
  addAction(command, call, async (cmd, _: ShowFlags, name, typed) => {
    const { addReply } = await loadActions();
    await addReply(cmd, name, typed);
  });
  group.addCommand(command);
}
