/** The conversation of a ticket: the latest entries that fit, or all of them. */
import type { Ticket } from '../../workflows/safe-write/reads.ts';
import { type Line, wrapped } from './screen.ts';
import { timeOf, type WorkContext } from './work-context.ts';

type Entry = NonNullable<Ticket['comments']>[number];

const roles: Readonly<Record<string, string>> = {
  VENDOR: 'you',
  CUSTOMER: 'customer',
  CBCSR: 'ClickBank',
  CBSYSTEM: 'ClickBank',
};

/** The newest entries, at most `room` lines; the first line says if some are left out. */
export function conversationLines(context: WorkContext, ticket: Ticket, room: number): Line[] {
  const entries = entriesOf(ticket);
  if (entries.length === 0) return [{ text: 'No conversation yet.', color: 'dim' }];
  const all = entries.map((entry) => entryLines(context, entry));
  if (all.flat().length <= room) return all.flat();
  const shown: Line[] = [];
  let left = all.length;
  for (const lines of all.toReversed()) {
    if (shown.length + lines.length > room - 1) break;
    shown.unshift(...lines);
    left -= 1;
  }
  if (shown.length === 0) {
    const newest = entries.at(-1);
    if (newest) shown.push(...entryLines(context, newest, Math.max(1, room - 1)));
    left -= 1;
  }
  const text = left > 0 ? `… ${left} earlier, press m for all` : '… cut, press m for all';
  return [{ text, color: 'dim' }, ...shown];
}

/** The whole conversation, with an empty line between entries. */
export function wholeConversation(context: WorkContext, ticket: Ticket): Line[] {
  const entries = entriesOf(ticket);
  if (entries.length === 0) return [{ text: 'No conversation yet.' }];
  return entries.flatMap((entry, i) => [
    ...(i === 0 ? [] : [{ text: '' }]),
    ...entryLines(context, entry),
  ]);
}

/** In order of their time; entries without one keep their place. */
function entriesOf({ comments }: Ticket): readonly Entry[] {
  return (comments ?? []).toSorted(
    (a, b) => (Date.parse(a.date ?? '') || 0) - (Date.parse(b.date ?? '') || 0),
  );
}

/** "2026-03-18 08:28 customer: It is not what I had in mind." */
function entryLines(context: WorkContext, entry: Entry, most?: number): Line[] {
  const { date, commentRole, action, comment } = entry;
  const who = roles[commentRole ?? ''] ?? (commentRole ?? 'unknown').toLowerCase();
  const what =
    action === 'COMMENTED' || !action ? '' : ` ${action.toLowerCase().replaceAll('_', ' ')}`;
  const lead = `${timeOf(context, date)} ${who}${what}${comment ? ': ' : ''}`;
  const limit = most === undefined ? {} : { most };
  const lines = wrapped(context, `${lead}${comment ?? ''}`, { lead: '  ', ...limit });
  return lines.map((line, i) => (i === 0 ? { ...line, text: line.text.trimStart() } : line));
}
