/** Saved replies: texts with placeholders, in a private file of the configuration folder. */
import { join } from 'node:path';
import { badInput } from '../../../client/workflow-error.ts';
import { customerOf, money, titlesOf } from '../../../safe-write/sentence.ts';
import { writeAtomic } from '../../../storage/atomic-file.ts';
import { itemOf, type TicketDetails } from './ticket-details.ts';

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

export type Placeholder = keyof typeof placeholders;

export type ReplyValues = Readonly<Partial<Record<Placeholder, string>>>;

export const replyName = /^[A-Za-z0-9][\w-]{0,63}$/;

const written = /\{([^{}\n]*)\}/g;

/** The placeholders in a text that cb does not know, as they are written. */
export function unknownPlaceholders(text: string): string[] {
  const names = [...text.matchAll(written)].map(([, name = '']) => name);
  return [...new Set(names.filter((name) => !Object.hasOwn(placeholders, name)))];
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
  const names = [...text.matchAll(written)].map(([, name = '']) => name);
  return [...new Set(names.filter((name) => Object.hasOwn(placeholders, name)))];
}

/** Reads and writes the file `replies.json`; the caller holds its lock while it changes it. */
export interface ReplyFile {
  readonly path: string;
  /** Returns undefined if the file does not exist. */
  read(): string | undefined;
}

export function replyPath(folder: string): string {
  return join(folder, 'replies.json');
}

/** The texts by name, in the order of their names. Throws a WorkflowError if the file is damaged. */
export function readReplies({ path, read }: ReplyFile): ReadonlyMap<string, string> {
  const text = read();
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

export async function writeReplies(
  path: string,
  replies: ReadonlyMap<string, string>,
): Promise<void> {
  const content = { version: 1, replies: Object.fromEntries(replies) };
  await writeAtomic(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}
