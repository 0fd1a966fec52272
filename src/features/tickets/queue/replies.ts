/**
 * The saved replies of this user: `cb replies`, `cb tickets comment --reply NAME`, and the private file that keeps
 * them.
 */
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { badInput } from '../../../client/workflow-error.ts';
import { resource, text } from '../../../operations/resource.ts';
import { tickets } from '../../../operations/tickets.ts';
import { onePage } from '../../../output/stream.ts';
import { makePrivateFolder, type Owner, readPrivate } from '../../../profiles/private-file.ts';
import { customerOf, money, titlesOf } from '../../../safe-write/sentence.ts';
import type { CommandContext } from '../../../shell/command-context.ts';
import { showPages, showText } from '../../../shell/display/show.ts';
import { type Failure, usage } from '../../../shell/failure.ts';
import { configFolder } from '../../../shell/folders.ts';
import { lockInTurn } from '../../../shell/lock.ts';
import type { Typed } from '../../../shell/options/flags.ts';
import { nearest } from '../../../shell/options/nearest.ts';
import { isStructured, type OutputOptions } from '../../../shell/options/show-flags.ts';
import { problemWith } from '../../../shell/options/values.ts';
import { todayOf } from '../../../shell/session/service-clock.ts';
import { withApi } from '../../../shell/session/session.ts';
import { writeAtomic } from '../../../storage/atomic-file.ts';
import { itemOf, readDetails, type TicketDetails } from './ticket-details.ts';

/** What a placeholder stands for, by its name. */
export const placeholders = {
  firstName: "the customer's first name",
  lastName: "the customer's last name",
  fullName: "the customer's full name",
  email: "the customer's email",
  receipt: 'the receipt of the order',
  product: 'the title of the product',
  amount: 'what the customer paid, with its currency',
  ticketId: 'the ID of the ticket',
} as const;

type Placeholder = keyof typeof placeholders;

type ReplyValues = Readonly<Partial<Record<Placeholder, string>>>;

const replyName = /^[A-Za-z0-9][\w-]{0,63}$/;

const written = /\{([^{}\n]*)\}/g;

/** The placeholders in a text, as they are written: those that cb knows, or the others. */
function placeholdersIn(text: string, isKnown: boolean): string[] {
  const names = [...text.matchAll(written)].map(([, name = '']) => name);
  return [...new Set(names.filter((name) => Object.hasOwn(placeholders, name) === isKnown))];
}

/** Fills in the values in one pass, so that braces in a customer's name stay text. `missing` have no value. */
export function fillReply(
  text: string,
  values: ReplyValues,
): { readonly text: string; readonly missing: readonly Placeholder[] } {
  const missing = new Set<Placeholder>();
  const filled = text.replaceAll(written, (whole, name: string) => {
    if (!Object.hasOwn(placeholders, name)) return whole;
    const value = values[name as Placeholder];
    if (!value) missing.add(name as Placeholder);
    return value || whole;
  });
  return { text: filled, missing: [...missing] };
}

export function valuesFor({ ticket, payment }: TicketDetails): ReplyValues {
  const { customerFirstName, customerLastName, email, receipt, ticketid } = ticket;
  const item = itemOf({ ticket, payment });
  const values = {
    firstName: customerFirstName,
    lastName: customerLastName,
    fullName: customerOf(ticket) || payment?.fullName,
    email,
    receipt,
    product: titlesOf(item ? [item] : payment?.lineItemData).join(', '),
    amount: money(payment?.totalOrderAmount, payment?.currency),
    ticketId: String(ticketid ?? ''),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as ReplyValues;
}

/** Placeholders that are still in a text; it can't be sent with them. */
export function openPlaceholders(text: string): string[] {
  return placeholdersIn(text, true);
}

const known = Object.keys(placeholders).map((name) => `{${name}}`);

const reply = resource('reply', ['name', 'text'], { name: text, text }, { noun: 'reply' });

export async function listReplies(cmd: CommandContext, output: OutputOptions): Promise<void> {
  const rows = [...repliesOf(cmd)].map(([name, saved]) => ({ name, text: saved }));
  await showPages(cmd, output, { resource: reply }, onePage(rows));
}

export async function addReply(
  cmd: CommandContext,
  name: string,
  typed: string | undefined,
): Promise<void> {
  if (!replyName.test(name)) {
    throw usage(`Invalid name of a reply '${name}'.`, {
      hint: 'Use letters, digits, dashes and underscores, such as thanks or refund-sent.',
    });
  }
  const given = await givenText(cmd, typed);
  const problem = problemOf(given);
  if (problem) throw usage(problem.message, { hint: problem.hint });
  let isNew = true;
  await changeReplies(cmd, (before) => {
    isNew = !before.has(name);
    return new Map([...before, [name, given]]);
  });
  cmd.messages.tell(`${isNew ? 'Added' : 'Changed'} the reply '${name}'.`);
}

async function givenText(cmd: CommandContext, typed: string | undefined): Promise<string> {
  if (typed === '-') return (await readText(cmd.context.stdin)).trim();
  if (typed !== undefined) return typed.trim();
  if (!cmd.mayAsk) {
    throw usage('The text of the reply is missing.', {
      hint: 'Pass the text, or - to read standard input.',
    });
  }
  const prompts = await cmd.context.prompts();
  const answer = await prompts.input('Text of the reply:', (one) => problemOf(one.trim())?.message);
  return answer.trim();
}

/** ClickBank accepts requests of up to 2,000 characters, URL-encoded; some are for the address. */
const longest = 1800;

function problemOf(given: string): { readonly message: string; readonly hint: string } | undefined {
  if (given === '') return { message: 'The text is empty.', hint: 'Pass the text of the reply.' };
  if (/\p{Cc}/u.test(given)) {
    const message = 'The text contains a line break or another control character.';
    return { message, hint: 'Write it in one line, as cb tickets comment requires.' };
  }
  const [unknown] = placeholdersIn(given, false);
  if (unknown !== undefined) {
    const near = nearest(unknown, Object.keys(placeholders));
    const list = `Placeholders: ${known.join(', ')}.`;
    const hint = near ? `Did you mean {${near}}? ${list}` : list;
    return { message: `Unknown placeholder '{${unknown}}'.`, hint };
  }
  const length = encodeURIComponent(given).length;
  if (length <= longest) return undefined;
  return {
    message: `The text is ${length} characters long, URL-encoded. At most ${longest} fit into a request.`,
    hint: 'Shorten it.',
  };
}

export async function showReply(
  cmd: CommandContext,
  output: OutputOptions,
  name: string,
): Promise<void> {
  const found = replyNamed(cmd, name);
  if (isStructured(output)) {
    await showPages(cmd, output, { resource: reply }, onePage([{ name, text: found }]));
  } else await showText(cmd, output, found);
}

export async function removeReply(cmd: CommandContext, name: string): Promise<void> {
  await changeReplies(cmd, (before) => {
    if (!before.has(name)) throw unknownReply(name, before);
    return new Map([...before].filter(([one]) => one !== name));
  });
  cmd.messages.tell(`Removed the reply '${name}'.`);
}

/** Returns the typed values with the comment; unchanged without --reply. */
export async function fillComment(cmd: CommandContext, typed: Typed): Promise<Typed> {
  const { reply: name, comment, id } = typed;
  if (name === undefined) return typed;
  if (comment !== undefined) {
    throw usage('--reply and --comment were both given.', { hint: 'Give one of them.' });
  }
  const text = replyNamed(cmd, String(name));
  if (openPlaceholders(text).length === 0) return { ...typed, comment: text };
  const ids = [id ?? []].flat().map(String);
  const [only = ''] = ids;
  const problem = problemWith(tickets.get.params.id, only, await todayOf(cmd, 'machine'));
  if (ids.length !== 1 || problem) {
    throw usage(`The reply '${name}' has placeholders, so it fits a single ticket.`, {
      hint: 'Give one ticket ID, or use cb tickets work.',
    });
  }
  return { ...typed, comment: await textFor(cmd, only, text) };
}

async function textFor(cmd: CommandContext, id: string, text: string): Promise<string> {
  return withApi(cmd, {}, async (client) => {
    const { receipt } = await client.call(tickets.get, { id });
    const details = await readDetails(client, { id, receipt: receipt ?? '' }, () => 0);
    const filled = fillReply(text, valuesFor(details));
    const [missing] = filled.missing;
    if (missing === undefined) return filled.text;
    throw usage(`Ticket ${id} has no value for {${missing}}.`, {
      hint: 'Nothing was sent. Write the text yourself with --comment.',
    });
  });
}

type Asking = Pick<CommandContext, 'context' | 'messages'>;

function replyPath({ context }: Asking): string {
  return join(configFolder(context), 'replies.json');
}

/** The texts by name, in the order of their names. Throws a WorkflowError if the file is damaged. */
export function repliesOf(cmd: Asking): ReadonlyMap<string, string> {
  const path = replyPath(cmd);
  const text = readPrivate(path, ownerOf(cmd));
  if (text === undefined) return new Map();
  try {
    const { replies } = JSON.parse(text) as { readonly replies: Record<string, unknown> };
    const entries = Object.entries(replies).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  } catch (cause) {
    throw badInput(`The saved replies can't be read: ${path} is not valid JSON.`, {
      hint: 'Repair the file, or move it away.',
      cause,
    });
  }
}

/** The text of a reply. Throws a usage failure if no reply has that name. */
function replyNamed(cmd: Asking, name: string): string {
  const replies = repliesOf(cmd);
  const text = replies.get(name);
  if (text === undefined) throw unknownReply(name, replies);
  return text;
}

function unknownReply(name: string, replies: ReadonlyMap<string, string>): Failure {
  const near = nearest(name, [...replies.keys()]);
  return usage(`There is no saved reply '${name}'.`, {
    hint: near ? `Did you mean ${near}?` : 'To list the replies, run `cb replies list`.',
  });
}

/** Replaces the replies by what `alter` returns. */
async function changeReplies(
  cmd: Asking,
  alter: (before: ReadonlyMap<string, string>) => ReadonlyMap<string, string>,
): Promise<void> {
  makePrivateFolder(configFolder(cmd.context), ownerOf(cmd));
  const path = replyPath(cmd);
  const unlock = await lockInTurn(cmd.context, path);
  try {
    const content = { version: 1, replies: Object.fromEntries(alter(repliesOf(cmd))) };
    await writeAtomic(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  } finally {
    await unlock();
  }
}

function ownerOf({ context, messages }: Asking): Owner {
  return {
    user: context.user,
    onExposed: (note) => messages.say(`warning: ${note}`),
  };
}
