/** The saved replies of this user: `cb replies`, `cb tickets comment --reply NAME`, and their private file. */
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { badInput } from '../../client/workflow-error.ts';
import { resource, text } from '../../operations/resource.ts';
import { tickets } from '../../operations/tickets.ts';
import { onePage } from '../../output/stream.ts';
import { isRecord } from '../../profiles/credentials.ts';
import { jsonIn, whileLocked } from '../../profiles/private-file.ts';
import { customerOf, orderMoney, titlesOf } from '../../safe-write/sentence.ts';
import type { CommandContext } from '../../shell/context.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import { showPages, showText } from '../../shell/display/show.ts';
import { type Failure, usage } from '../../shell/failure.ts';
import type { Typed } from '../../shell/options/flags.ts';
import { suggest } from '../../shell/options/nearest.ts';
import { isStructured } from '../../shell/options/show-flags.ts';
import { problemWith } from '../../shell/options/values.ts';
import { todayOf, withApi } from '../../shell/session/session.ts';
import { privatePlace } from '../../shell/session/stored-profiles.ts';
import { writeAtomic } from '../../storage/atomic-file.ts';
import { itemOf, readDetails, type TicketDetails } from './queue/ticket-details.ts';

type Replies = ReadonlyMap<string, string>;

const placeholders: readonly string[] = [
  ...['firstName', 'lastName', 'fullName', 'email', 'receipt', 'product', 'amount', 'ticketId'],
];

const known = `Placeholders: ${placeholders.map((name) => `{${name}}`).join(', ')}.`;

const written = /\{([^{}\n]*)\}/g;

/** The first placeholder in a text that cb knows, with which it can't be sent, or that cb does not know. */
export function placeholderIn(text: string, isKnown: boolean): string | undefined {
  const names = [...text.matchAll(written)].map(([, name = '']) => name);
  return names.find((name) => placeholders.includes(name) === isKnown);
}

/** Fills in the values in one pass, so that braces in a customer's name stay text. `missing` have no value. */
export function fillReply(text: string, { ticket, payment }: TicketDetails) {
  const { customerFirstName, customerLastName, email, receipt, ticketid } = ticket;
  const item = itemOf({ ticket, payment });
  const values: Readonly<Record<string, string | null | undefined>> = {
    firstName: customerFirstName,
    lastName: customerLastName,
    fullName: customerOf(ticket) || payment?.fullName,
    email,
    receipt,
    product: titlesOf(item ? [item] : payment?.lineItemData).join(', '),
    amount: orderMoney(payment?.totalOrderAmount, payment?.currency),
    ticketId: String(ticketid ?? ''),
  };
  const missing = new Set<string>();
  const filled = text.replaceAll(written, (whole, name: string) => {
    if (!placeholders.includes(name)) return whole;
    if (!values[name]) missing.add(name);
    return values[name] || whole;
  });
  return { text: filled, missing: [...missing] };
}

/** Returns the typed values with the reply as the comment. */
export async function fillComment(cmd: CommandContext, typed: Typed): Promise<Typed> {
  const { reply: name, comment, id } = typed;
  if (comment !== undefined) {
    throw usage('--reply and --comment were both given.', { hint: 'Use one or the other.' });
  }
  const text = replyNamed(cmd, String(name));
  if (placeholderIn(text, true) === undefined) return { ...typed, comment: text };
  const ids = [id ?? []].flat().map(String);
  const [only = ''] = ids;
  const problem = problemWith(tickets.get.params.id, only, await todayOf(cmd, 'machine'));
  if (ids.length !== 1 || problem) {
    throw usage(`The reply '${name}' has placeholders, so it needs a single ticket.`, {
      hint: 'Pass one ticket ID, or use cb tickets work.',
    });
  }
  return withApi(cmd, {}, async (client) => {
    const { receipt } = await client.call(tickets.get, { id: only });
    const details = await readDetails(client, { id: only, receipt: receipt ?? '' }, () => 0);
    const filled = fillReply(text, details);
    const [missing] = filled.missing;
    if (missing === undefined) return { ...typed, comment: filled.text };
    throw usage(`Ticket ${only} has no value for {${missing}}.`, {
      hint: 'Nothing was sent. Write the text yourself with --comment.',
    });
  });
}

/** The file of the replies, which only this user may read. */
function placeOf(cmd: CommandContext) {
  const place = privatePlace(cmd);
  return { place, path: join(place.folder, 'replies.json') };
}

/** The texts by name, in the order of their names. Throws a WorkflowError if the file is damaged. */
export function repliesOf(cmd: CommandContext): Replies {
  const { place, path } = placeOf(cmd);
  const json = jsonIn(path, place, { replies: {} });
  const replies =
    isRecord(json) && isRecord(json.replies) ? Object.entries(json.replies) : undefined;
  if (!replies) {
    throw badInput(`The saved replies can't be read: ${path} is not valid JSON.`, {
      hint: 'Repair the file, or move it away.',
    });
  }
  const texts = replies.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return new Map(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The text of a reply. Throws a usage failure if no reply has that name. */
function replyNamed(cmd: CommandContext, name: string): string {
  const replies = repliesOf(cmd);
  const text = replies.get(name);
  if (text === undefined) throw unknownReply(name, replies);
  return text;
}

function unknownReply(name: string, replies: Replies): Failure {
  const hint = suggest(name, [...replies.keys()], 'To list the replies, run `cb replies list`.');
  return usage(`There is no saved reply '${name}'.`, { hint });
}

/** Replaces the replies by what `alter` returns; returns those before. */
function changeReplies(cmd: CommandContext, alter: (before: Replies) => Replies) {
  const { place, path } = placeOf(cmd);
  return whileLocked(place, path, async () => {
    const before = repliesOf(cmd);
    const content = { version: 1, replies: Object.fromEntries(alter(before)) };
    await writeAtomic(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    return before;
  });
}

/** ClickBank accepts requests of up to 2,000 characters, URL-encoded; some are for the address. */
const longest = 1800;

/** What is wrong with the text of a reply, and what to do about it. */
function problemOf(given: string): readonly [message: string, hint: string] | undefined {
  if (given === '') return ['The text is empty.', 'Pass the text of the reply.'];
  if (/\p{Cc}/u.test(given)) {
    return [
      'The text contains a line break or another control character.',
      'Write it in one line, as cb tickets comment requires.',
    ];
  }
  const unknown = placeholderIn(given, false);
  if (unknown !== undefined) {
    return [`Unknown placeholder '{${unknown}}'.`, known];
  }
  const length = encodeURIComponent(given).length;
  if (length <= longest) return undefined;
  return [
    `The text is ${length} characters long, URL-encoded. At most ${longest} fit into a request.`,
    'Shorten it.',
  ];
}

const example = "cb replies add thanks 'Thank you, {firstName}.'";
const name = { '<name>': 'Name of the reply' };
const reply = resource('reply', ['name', 'text'], { name: text, text }, { noun: 'reply' });

const add = command({
  words: 'replies add',
  summary: 'Add or change a saved reply',
  args: { ...name, '[text]': 'Text; - reads stdin (default: asks for it)' },
  help: { notes: [known], examples: [example], effect: 'writes' },
  async run(cmd, { name, text: typed }) {
    if (!/^[A-Za-z0-9][\w-]{0,63}$/.test(name)) {
      throw usage(`Invalid name of a reply '${name}'.`, {
        hint: 'Use letters, digits, dashes and underscores, such as thanks or refund-sent.',
      });
    }
    if (typed === undefined && !cmd.mayAsk) {
      throw usage('The text of the reply is missing.', {
        hint: 'Pass the text, or - to read standard input.',
      });
    }
    const ask = async () =>
      (await cmd.context.prompts()).input(
        'Text of the reply:',
        (one) => problemOf(one.trim())?.[0],
      );
    const given = typed === '-' ? await readText(cmd.context.stdin) : (typed ?? (await ask()));
    const [problem, hint] = problemOf(given.trim()) ?? [];
    if (problem !== undefined) throw usage(problem, { hint });
    const before = await changeReplies(cmd, (replies) => new Map(replies).set(name, given.trim()));
    cmd.messages.tell(`${before.has(name) ? 'Changed' : 'Added'} the reply '${name}'.`);
  },
});

const list = command({
  words: 'replies list',
  summary: 'List the saved replies',
  rows: reply,
  help: { examples: ['cb replies list', 'cb replies list -o json'] },
  run: async (cmd) => [...repliesOf(cmd)].map(([name, text]) => ({ name, text })),
});

const show = command({
  words: 'replies show',
  summary: 'Show the text of a saved reply',
  args: name,
  shows: {},
  help: { examples: ['cb replies show thanks'] },
  async run(cmd, { name }, output) {
    const found = replyNamed(cmd, name);
    if (isStructured(output)) {
      await showPages(cmd, output, { resource: reply }, onePage([{ name, text: found }]));
    } else await showText(cmd, output, found);
  },
});

const remove = command({
  words: 'replies remove',
  summary: 'Remove a saved reply',
  args: name,
  help: { examples: ['cb replies remove thanks'], effect: 'destroys' },
  async run(cmd, { name }) {
    await changeReplies(cmd, (before) => {
      if (!before.has(name)) throw unknownReply(name, before);
      return new Map([...before].filter(([one]) => one !== name));
    });
    cmd.messages.tell(`Removed the reply '${name}'.`);
  },
});

export const replies: GroupSpec = {
  words: 'replies',
  help: {
    notes: [
      'cb tickets work offers the replies, fills in the placeholders, and shows the text before it is sent.',
      known,
    ],
    examples: [example, 'cb replies list'],
  },
  commands: [add, list, show, remove],
};
