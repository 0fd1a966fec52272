/** The entries of a ledger: one for each write, with what is known about its outcome. */
import type { Operation } from '../operations/operation.ts';
import { type Identity, livenessOf, type Processes } from '../storage/lock-owner.ts';

/** Where a write came from. */
export const origins = ['command', 'import', 'queue', 'agent', 'program'] as const;

export type Origin = (typeof origins)[number];

/**
 * - `planned`: waits for a person
 * - `sending`: sent or about to be sent; after a crash, nobody knows more
 * - `not done`: certainly not, because it was not sent or because the service refused it
 * - `unknown`: sent, and no look has found it
 * - `declined`: a person said no
 */
export const states = ['planned', 'sending', 'done', 'not done', 'unknown', 'declined'] as const;

export type EntryState = (typeof states)[number];

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json };

/** Facts that all rows of an import share. */
export interface SharedFacts {
  readonly origin?: Origin;
  /** The operation, as in the catalogue. */
  readonly operation?: string;
  /** Fingerprint of the service and the key. */
  readonly account?: string;
  /** The profile or the service, for people. */
  readonly service?: string;
  /** Who decided. */
  readonly by?: string;
}

export interface Entry extends SharedFacts {
  /** For the row of an import, its line in the input. */
  readonly id: string;
  /** When it got this state: ISO 8601, UTC. */
  readonly at: string;
  readonly state: EntryState;
  /** The receipt, ticket ID or SKU. */
  readonly about?: string;
  /** Why it is not done or unknown. */
  readonly why?: string;
  /** Not sent because an equal ticket or notice exists, so there is nothing left to do. */
  readonly isThere?: true;
  /** When it was last sent. */
  readonly sentAt?: string;
  /** Which process sends it, while it does. */
  readonly sentFrom?: Identity;
  /** In full until the outcome is certain; after that, free text is a keyed hash. */
  readonly args?: { readonly [name: string]: Json };
  /** What existed before the write; until the outcome is certain. */
  readonly before?: Json;
  /** The plan of an agent with its seal; until a day after the outcome is certain. */
  readonly plan?: Json;
  readonly seal?: string;
  /** What a person did in the queue. */
  readonly action?: string;
  readonly ticket?: string;
  readonly amount?: string;
  readonly currency?: string;
}

/** A line of the file: a state of an entry, and what is new about it. */
export type Line = Pick<Entry, 'id' | 'at' | 'state'> & Partial<Entry>;

/** Whether nothing is left to do for it. */
export function isFinished(entry: Pick<Entry, 'state' | 'isThere'> | undefined): boolean {
  return entry?.state === 'done' || entry?.isThere === true;
}

/** Whether it may be done, but nobody knows. */
export function isOpen<T extends Pick<Entry, 'state'>>(entry: T | undefined): entry is T {
  return entry?.state === 'sending' || entry?.state === 'unknown';
}

/** The state for people. Plans expire, and a process that has ended or can't be looked up sends nothing any more. */
export function shownState(
  { state, at, sentFrom }: Entry,
  processes: Processes,
  now: number,
): EntryState | 'expired' {
  if (state === 'planned') return isInTime(Date.parse(at), now) ? state : 'expired';
  if (state !== 'sending') return state;
  return sentFrom && livenessOf(sentFrom, processes) === 'running' ? state : 'unknown';
}

/** The entry after a line. The reason of an earlier failure does not apply to a later attempt. */
export function applyLine(before: Entry | undefined, line: Line): Entry {
  const { why: _, isThere: __, sentFrom: ___, ...facts } = before ?? {};
  return { ...facts, ...line, ...(line.state === 'sending' && { sentAt: line.at }) };
}

/** Whether a state may follow. Nothing follows done or declined, and a look that found nothing can't make not done unknown. */
export function mayFollow(before: Entry | undefined, next: EntryState): boolean {
  if (before?.state === 'done' || before?.state === 'declined') return false;
  return !(before?.state === 'not done' && next === 'unknown');
}

const day = 86_400_000;

/** Milliseconds after which finished entries are removed. */
const kept = 400 * day;

/** Milliseconds in which a plan can be approved. */
export const planLifetime = 30 * 60_000;

/** Whether a plan can be approved now. A clock that was set back does not make it last longer. */
export function isInTime(created: number, now: number): boolean {
  return now >= created - 60_000 && now < created + planLifetime;
}

/** Nothing of an older plan can still be sent. */
function isOver({ state, at }: Entry, now: number): boolean {
  return state === 'planned' ? now - Date.parse(at) > day : !['sending', 'unknown'].includes(state);
}

/** The entry as it is kept: undefined if it is finished and older than 400 days, else as `trimmedEntry` returns it. */
export function keptEntry(entry: Entry, now: number): Entry | undefined {
  const isOld = isOver(entry, now) && now - Date.parse(entry.at) > kept;
  return isOld ? undefined : trimmedEntry(entry, now);
}

/** The entry without what is no longer needed. Returns the same object if nothing changes. */
export function trimmedEntry(entry: Entry, now: number): Entry {
  if (!isOver(entry, now)) return entry;
  const isNeeded = entry.plan !== undefined && now - Date.parse(entry.at) < day;
  if (isNeeded || (entry.before === undefined && entry.plan === undefined)) return entry;
  const { before: _, plan: __, seal: ___, ...rest } = entry;
  return rest;
}

/** The arguments with their free texts as `hash` returns them: names, addresses and comments. */
export function sealedArguments(
  { params }: Pick<Operation, 'params'>,
  args: object,
  hash: (text: string) => string,
): { readonly [name: string]: Json } {
  const entries = Object.entries(args).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isFreeText(params, name) ? hash(String(value)) : value]),
  );
}

function isFreeText(params: Operation['params'], name: string): boolean {
  const param = params[name];
  return param === undefined || (param.kind === 'text' && param.names === undefined);
}

/** What the service said, without the free texts of the arguments, which it may have repeated. */
export function withoutTexts(
  says: string,
  { params }: Pick<Operation, 'params'>,
  args: object,
): string {
  const texts = Object.entries(args)
    .filter(([name, value]) => isFreeText(params, name) && typeof value === 'string' && value)
    .map(([, value]) => String(value).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return texts.reduce(
    (left, text) => left.replaceAll(new RegExp(`(?<!\\w)${text}(?!\\w)`, 'gi'), '…'),
    says,
  );
}

/** The entry without anything that names a person; its state stays. */
export function withoutPerson(entry: Entry, params: Operation['params']): Entry {
  const { plan: _, seal: __, before: ___, args = {}, why, ...rest } = entry;
  const kept = Object.entries(args).filter(([name]) => !isFreeText(params, name));
  return {
    ...rest,
    ...(why !== undefined && { why: withoutTexts(why, { params }, args) }),
    ...(entry.args && { args: Object.fromEntries(kept) }),
  };
}

/** The user who sends a write: the name in the environment, otherwise the user ID. */
export function userName(
  env: Readonly<Record<string, string | undefined>>,
  id: number | undefined,
): string {
  return env.USER ?? env.LOGNAME ?? env.USERNAME ?? `user ${id ?? 'unknown'}`;
}
