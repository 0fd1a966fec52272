/** `cb replies …`: saved replies to customers. */
import { command, type GroupSpec } from '../../shell/define.ts';

/** Written out, so that help does not load the replies. */
const placeholders =
  'Placeholders: {firstName}, {lastName}, {fullName}, {email}, {receipt}, {product}, {amount}, {ticketId}.';

/** Other commands do not load what these do. */
const loadActions = () => import('./queue/replies.ts');

const name = { '<name>': 'Name of the reply' };

const add = command({
  words: 'replies add',
  summary: 'Add or change a saved reply',
  args: { ...name, '[text]': 'Text; - reads stdin (default: asks for it)' },
  help: {
    notes: [placeholders],
    examples: ["cb replies add thanks 'Thank you, {firstName}.'"],
    effect: 'writes',
  },
  run: async (cmd, { name, text }) => (await loadActions()).addReply(cmd, name, text),
});

const list = command({
  words: 'replies list',
  summary: 'List the saved replies',
  shows: { rows: true },
  help: { examples: ['cb replies list', 'cb replies list -o json'] },
  run: async (cmd, _, output) => (await loadActions()).listReplies(cmd, output),
});

const show = command({
  words: 'replies show',
  summary: 'Show the text of a saved reply',
  args: name,
  shows: {},
  help: { examples: ['cb replies show thanks'] },
  run: async (cmd, { name }, output) => (await loadActions()).showReply(cmd, output, name),
});

const remove = command({
  words: 'replies remove',
  summary: 'Remove a saved reply',
  args: name,
  help: { examples: ['cb replies remove thanks'], effect: 'destroys' },
  run: async (cmd, { name }) => (await loadActions()).removeReply(cmd, name),
});

export const replies: GroupSpec = {
  words: 'replies',
  help: {
    notes: [
      'cb tickets work offers the replies, fills in the placeholders, and shows the text before it is sent.',
      placeholders,
    ],
    examples: ["cb replies add thanks 'Thank you, {firstName}.'", 'cb replies list'],
  },
  commands: [add, list, show, remove],
};
