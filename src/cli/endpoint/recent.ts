/**
 * Receipts, ticket IDs, SKUs, image IDs and account nicknames that were typed or shown, for shell completion: by profile,
 * in one private file. Names of people, addresses and keys are not stored.
 */
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Arguments, Operation } from '../../operations/operation.ts';
import type { Named, Resource } from '../../operations/resource.ts';
import { isBuiltIn } from '../../profiles/find-service.ts';
import { writeAtomic } from '../../storage/atomic-file.ts';
import { makeFolder } from '../../storage/folder.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import type { Context } from '../runtime/context.ts';
import { stateFolder } from '../runtime/folders.ts';
import { settingOf } from '../session/settings.ts';
import { profilesOf } from '../session/stored-profiles.ts';

type Caller = Pick<CommandContext, 'context' | 'flags'>;

/** A question whose last answer is stored. */
type Question = `chosen:${string}`;

/** Values by what they name, latest first: those that were shown, those that were typed, and the last answers. */
type Recent = Readonly<Partial<Record<Named | `typed:${Named}` | Question, readonly string[]>>>;

/** Maximum number of values of each kind. */
const mostKept = 50;

/** Of those, how many are reserved for typed values, which a list does not push out. */
const mostTyped = 25;

/** Maximum number of rows of a list that are read, so that a long list takes no longer. */
const mostRows = 200;

/** A shell reads this as a single plain word. Other values, which the service can send, are not stored. */
const plainWord = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** Stores the values of an operation if a person ran it on a terminal; scripts store nothing. Never throws. */
export async function remember(
  cmd: CommandContext,
  operation: Operation,
  args: Arguments,
  rows: readonly unknown[],
): Promise<void> {
  if (cmd.messages.watched) await recordRecent(cmd, operation, args, rows);
}

/** Stores the values among the arguments and the decoded rows of an operation. Never throws. */
export async function recordRecent(
  cmd: Caller,
  operation: Operation,
  args: Arguments,
  rows: readonly unknown[],
): Promise<void> {
  try {
    const typed = typedNames(operation, args);
    const shown = shownNames(operation, rows);
    if (typed.size + shown.size === 0) return;
    const profile = await historyOf(cmd);
    if (profile !== undefined) await keep(cmd.context, profile, typed, shown);
  } catch {
    // The command has succeeded and must not fail because of this.
  }
}

/** Returns the values of the profile in use, typed ones first; none if the file can't be read. */
export async function readRecent(cmd: Caller): Promise<(names: Named) => readonly string[]> {
  const recent = readAll(cmd.context).get(await profileInUse(cmd)) ?? {};
  return (names) => {
    const all = [...(recent[`typed:${names}`] ?? []), ...(recent[names] ?? [])];
    return [...new Set(all)].slice(0, mostKept);
  };
}

/** Stores the answer to a question of the profile in use. Never throws. */
export async function rememberChoice(cmd: Caller, question: string, value: string): Promise<void> {
  try {
    const profile = await historyOf(cmd);
    if (profile === undefined || !plainWord.test(value)) return;
    const all = readAll(cmd.context);
    const stored = { ...all.get(profile), [`chosen:${question}` satisfies Question]: [value] };
    await write(cmd.context, all.set(profile, stored));
  } catch {
    // Only the suggestion of a later call is missing.
  }
}

/** Returns the last answer to a question; undefined without an answer, or if history is off. */
export async function readChoice(cmd: Caller, question: string): Promise<string | undefined> {
  const profile = await historyOf(cmd);
  if (profile === undefined) return undefined;
  return readAll(cmd.context).get(profile)?.[`chosen:${question}`]?.[0];
}

/** Deletes the values of all profiles. Throws what the file system throws. */
export function forgetRecent(context: Context): void {
  rmSync(fileOf(context), { force: true });
}

type Seen = ReadonlyMap<Named, ReadonlySet<string>>;

type Add = (names: Named, value: unknown) => void;

function typedNames({ params }: Operation, args: Arguments): Seen {
  const typed: Readonly<Record<string, unknown>> = args;
  return collect((add) => {
    for (const [name, { names }] of Object.entries(params)) {
      if (names) for (const value of [typed[name]].flat()) add(names, value);
    }
  });
}

function shownNames({ returns }: Operation, rows: readonly unknown[]): Seen {
  return collect((add) => {
    if (!('resource' in returns)) return;
    for (const row of rows.slice(0, mostRows)) addRow(returns.resource, row, add);
  });
}

function collect(fill: (add: Add) => void): Seen {
  const seen = new Map<Named, Set<string>>();
  fill((names, value) => {
    const word = String(value);
    if (value === null || value === undefined || !plainWord.test(word)) return;
    seen.set(names, (seen.get(names) ?? new Set()).add(word));
  });
  return seen;
}

function addRow({ fields }: Resource, row: unknown, add: Add): void {
  if (typeof row !== 'object' || row === null) return;
  const values: Readonly<Record<string, unknown>> = { ...row };
  for (const [name, { names, resource }] of Object.entries(fields)) {
    if (names) add(names, values[name]);
    if (resource) for (const inner of [values[name]].flat()) addRow(resource, inner, add);
  }
}

/** Returns the profile that the values belong to; undefined if nothing is to be stored. */
async function historyOf(cmd: Caller): Promise<string | undefined> {
  // Rows of several accounts belong to none of them.
  if (cmd.context.env.CB_NO_HISTORY || cmd.flags.allProfiles) return undefined;
  const profile = await profileInUse(cmd);
  if (profile === fromEnvironment || isBuiltIn(profile)) return profile;
  const stored = (await profilesOf(cmd)).get(profile);
  return stored && settingOf('history', stored.settings).value === 'on' ? profile : undefined;
}

/** Differs from all names of profiles, which begin with a letter or a digit. */
const fromEnvironment = ':environment';

/** The built-in profiles count as one, because all keys of the sandbox see the same orders. */
async function profileInUse(cmd: Caller): Promise<string> {
  const { context, flags } = cmd;
  const named = flags.sandbox ? 'sandbox' : flags.profile;
  if (named === undefined && context.env.CB_API_KEY !== undefined) return fromEnvironment;
  const name = named ?? context.env.CB_PROFILE ?? (await profilesOf(cmd)).current() ?? '';
  return isBuiltIn(name) ? 'sandbox' : name;
}

async function keep(context: Context, profile: string, typed: Seen, shown: Seen): Promise<void> {
  const all = readAll(context);
  const stored = { ...all.get(profile) };
  const before = JSON.stringify(stored);
  for (const [names, words] of typed) {
    const known = stored[`typed:${names}`] ?? [];
    stored[`typed:${names}`] = [...new Set([...words, ...known])].slice(0, mostTyped);
  }
  for (const [names, words] of shown) {
    stored[names] = [...new Set([...words, ...(stored[names] ?? [])])].slice(0, mostKept);
  }
  if (JSON.stringify(stored) === before) return;
  await write(context, all.set(profile, stored));
}

async function write(context: Context, all: ReadonlyMap<string, Recent>): Promise<void> {
  const text = JSON.stringify(Object.fromEntries(all));
  const file = fileOf(context);
  makeFolder(dirname(file));
  chmodSync(dirname(file), 0o700);
  // Of two processes at the same time, the later one wins.
  await writeAtomic(file, text, { mode: 0o600 });
}

/** Returns the values by profile; none if the file was edited or written by another version of cb. */
function readAll(context: Context): Map<string, Recent> {
  try {
    const parsed: object = JSON.parse(readFileSync(fileOf(context), 'utf8'));
    const all = Object.entries(parsed);
    return all.every(([, recent]) => isRecent(recent)) ? new Map(all) : new Map();
  } catch {
    return new Map();
  }
}

function isRecent(value: object | null): value is Recent {
  return Object.values(value ?? {}).every(
    (words) =>
      Array.isArray(words) &&
      words.every((word) => typeof word === 'string' && plainWord.test(word)),
  );
}

function fileOf(context: Context): string {
  return join(stateFolder(context), 'recent.json');
}
