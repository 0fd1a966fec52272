/**
 * What was seen lately, for the shell to offer again: receipts, ticket IDs, SKUs, image IDs and account nicknames
 * of each profile, in one private file. No names of people, no addresses, no keys.
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
import { profilesOf } from '../session/session.ts';
import { settingOf } from '../session/settings.ts';

/** By what they name, latest first. */
export type Recent = Readonly<Partial<Record<Named, readonly string[]>>>;

type ByProfile = Readonly<Record<string, Recent>>;

/** So many of each kind are kept. */
const mostKept = 50;

/** So many rows of a list are looked at: whoever lists a million orders doesn't wait for this. */
const mostRows = 200;

/** Nothing that a shell would take for more than a word, whatever the service sends. */
const plainWord = /^[A-Za-z0-9][\w.-]{0,63}$/;

/**
 * Keeps what an operation was asked with and has shown, for completion. `rows` are decoded ones, as
 * received. Never throws: what can't be kept is not kept.
 */
export async function recordRecent(
  cmd: Pick<CommandContext, 'context' | 'flags'>,
  operation: Operation,
  args: Arguments,
  rows: readonly unknown[],
): Promise<void> {
  try {
    const seen = namesIn(operation, args, rows);
    if (seen.size === 0) return;
    const profile = await historyOf(cmd);
    if (profile !== undefined) await keep(cmd.context, profile, seen);
  } catch {
    // Completion that knows less is no reason to fail a command that has done its work.
  }
}

/** What was seen lately with the asked profile; empty where nothing can be read. */
export async function readRecent(cmd: Pick<CommandContext, 'context' | 'flags'>): Promise<Recent> {
  const all = readAll(cmd.context);
  const profile = await profileInUse(cmd);
  return Object.hasOwn(all, profile) ? (all[profile] ?? {}) : {};
}

/** Forgets what was seen, of all profiles. Throws what the file system throws. */
export function forgetRecent(context: Context): void {
  rmSync(fileOf(context), { force: true });
}

type Seen = ReadonlyMap<Named, ReadonlySet<string>>;

function namesIn({ params, returns }: Operation, args: Arguments, rows: readonly unknown[]): Seen {
  const seen = new Map<Named, Set<string>>();
  const add = (names: Named, value: unknown) => {
    const word = String(value);
    if (value === null || value === undefined || !plainWord.test(word)) return;
    seen.set(names, (seen.get(names) ?? new Set()).add(word));
  };
  const typed = args as Readonly<Record<string, unknown>>;
  for (const [name, { names }] of Object.entries(params)) {
    if (names) for (const value of [typed[name]].flat()) add(names, value);
  }
  if ('resource' in returns) {
    for (const row of rows.slice(0, mostRows)) addRow(returns.resource, row, add);
  }
  return seen;
}

function addRow(
  { fields }: Resource,
  row: unknown,
  add: (names: Named, value: unknown) => void,
): void {
  if (typeof row !== 'object' || row === null) return;
  const values = row as Readonly<Record<string, unknown>>;
  for (const [name, { names, resource }] of Object.entries(fields)) {
    if (names) add(names, values[name]);
    if (resource) for (const inner of [values[name]].flat()) addRow(resource, inner, add);
  }
}

/** The profile to keep things under; undefined where nothing is to be kept. */
async function historyOf(
  cmd: Pick<CommandContext, 'context' | 'flags'>,
): Promise<string | undefined> {
  // Rows of several accounts belong to none of them.
  if (cmd.context.env.CB_NO_HISTORY || cmd.flags.allProfiles) return undefined;
  const profile = await profileInUse(cmd);
  if (profile === fromEnvironment || isBuiltIn(profile)) return profile;
  const stored = (await profilesOf(cmd)).get(profile);
  return stored && settingOf('history', stored.settings).value === 'on' ? profile : undefined;
}

/** No name of a profile: those begin with a letter or a digit. */
const fromEnvironment = ':environment';

/** All keys of the sandbox see the same orders, so they are one. */
async function profileInUse(cmd: Pick<CommandContext, 'context' | 'flags'>): Promise<string> {
  const { context, flags } = cmd;
  const named = flags.sandbox ? 'sandbox' : flags.profile;
  if (named === undefined && context.env.CB_API_KEY !== undefined) return fromEnvironment;
  const name = named ?? context.env.CB_PROFILE ?? (await profilesOf(cmd)).current() ?? '';
  return isBuiltIn(name) ? 'sandbox' : name;
}

async function keep(context: Context, profile: string, seen: Seen): Promise<void> {
  const all = readAll(context);
  const before = Object.hasOwn(all, profile) ? (all[profile] ?? {}) : {};
  const after = { ...before };
  for (const [names, words] of seen) {
    after[names] = [...new Set([...words, ...(before[names] ?? [])])].slice(0, mostKept);
  }
  const text = JSON.stringify({ ...all, [profile]: after });
  if (text === JSON.stringify(all)) return;
  const file = fileOf(context);
  makeFolder(dirname(file));
  chmodSync(dirname(file), 0o700);
  // Of two processes at once the later one wins.
  await writeAtomic(file, text, { mode: 0o600 });
}

function readAll(context: Context): ByProfile {
  try {
    const parsed: unknown = JSON.parse(readFileSync(fileOf(context), 'utf8'));
    return isByProfile(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** A person, or an older cb, may have written into it. */
function isByProfile(value: unknown): value is ByProfile {
  const isObject = (one: unknown): one is object =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  const isWords = (one: unknown) =>
    Array.isArray(one) && one.every((word) => typeof word === 'string' && plainWord.test(word));
  return (
    isObject(value) &&
    Object.values(value).every((recent) => isObject(recent) && Object.values(recent).every(isWords))
  );
}

function fileOf(context: Context): string {
  return join(stateFolder(context), 'recent.json');
}
