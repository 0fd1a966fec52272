/** Reads what the accounts of one or several keys earn. */

import { countOf } from '../../decimals/decimals.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { startProgress } from '../../shell/display/progress.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { Failure, failureFrom, usage } from '../../shell/failure.ts';
import { nearest } from '../../shell/options/nearest.ts';
import {
  type Account,
  accountContexts,
  askEach,
  serviceOf,
  withAccounts,
} from '../lists/accounts.ts';
import type { Asked } from './earning-options.ts';
import type { Dimension } from './groups.ts';
import { accountsOf } from './read-transactions.ts';
import { type Summary, summarize } from './summary.ts';

/** What one profile has earned. */
interface Earned {
  readonly profile: string | undefined;
  readonly summary: Summary;
}

export interface AllEarned {
  /** In the order of the profiles; those that failed are left out. */
  readonly each: readonly Earned[];
  /** The nicknames of all accounts that were read. */
  readonly accounts: readonly string[];
}

/** The nicknames that a key may read, as far as they had to be read. */
interface Readable {
  readonly account: Account;
  readonly own: readonly string[] | undefined;
}

/** Reads all profiles at the same time. An account that several of their keys may read counts for the first one. */
export async function readEarnings(
  cmd: CommandContext,
  asked: Asked,
  by: readonly Dimension[],
): Promise<AllEarned> {
  const { role, account: only } = asked;
  let all: AllEarned = { each: [], accounts: [] };
  await withAccounts(await accountContexts(cmd), {}, async (opened) => {
    const isNeeded = role === undefined || only !== undefined || opened.length > 1;
    const readable = isNeeded
      ? await readableOf(cmd, opened)
      : opened.map((account) => ({ account, own: undefined }));
    const names = [...new Set(readable.flatMap(({ own = [] }) => own))];
    if (only !== undefined) requireAccount(only, names);
    const each = await readEach(cmd, asked, by, readable);
    const earning = [...new Set(each.flatMap(({ summary }) => summary.accounts))];
    const isFiltered = role !== undefined || names.length === 0;
    all = { each, accounts: only ? [only] : isFiltered ? earning : names };
  });
  return all;
}

async function readEach(
  cmd: CommandContext,
  { plan, role, account: only }: Asked,
  by: readonly Dimension[],
  readable: readonly Readable[],
): Promise<Earned[]> {
  const progress = cmd.messages.watched ? startProgress(cmd, async () => undefined) : undefined;
  const read = (account: Account) => {
    const own = readable.find((one) => one.account === account)?.own;
    const query = { plan, by, account: only, accounts: namesOn(account, readable) };
    const others = othersOf(account, readable);
    return whole((onPage) =>
      summarize(account.api, query, {
        ...{ role, own },
        isOwn: (name = '') => !others.has(name),
        onPage: (rows) => {
          onPage(rows);
          progress?.add(rows);
        },
      }),
    );
  };
  try {
    const accounts = readable.map(({ account }) => account);
    const answers = await askEach(cmd, accounts, read);
    return answers.map(({ account: { profile }, answer }) => ({ profile, summary: answer }));
  } finally {
    progress?.stop();
  }
}

async function readableOf(cmd: CommandContext, opened: readonly Account[]): Promise<Readable[]> {
  const answers = await askEach(cmd, opened, ({ api }) => accountsOf(api));
  return answers.map(({ account, answer }) => ({ account, own: answer }));
}

/** The accounts that an earlier key of the same service reads. */
function othersOf(account: Account, readable: readonly Readable[]): ReadonlySet<string> {
  const at = readable.findIndex((one) => one.account === account);
  const earlier = readable.slice(0, at);
  const alike = earlier.filter((one) => serviceOf(one.account) === serviceOf(account));
  return new Set(alike.flatMap(({ own = [] }) => own));
}

/** All accounts that the keys of the same service read. */
function namesOn(account: Account, readable: readonly Readable[]): string[] {
  const alike = readable.filter((one) => serviceOf(one.account) === serviceOf(account));
  return alike.flatMap(({ own = [] }) => own);
}

function requireAccount(only: string, names: readonly string[]): void {
  if (names.length === 0 || names.includes(only)) return;
  const near = nearest(only, names);
  throw usage(`The key can't read the account '${only}'.`, {
    hint: near ? `Did you mean ${near}?` : `Use one of ${names.join(', ')}.`,
  });
}

/** If a list breaks off after its first page, days are missing: the exit code is then `incomplete`. */
async function whole<T>(read: (onPage: (rows: number) => void) => Promise<T>): Promise<T> {
  let rows = 0;
  try {
    return await read((more) => {
      rows += more;
    });
  } catch (error) {
    const { code, message, hint, status } = failureFrom(error);
    const isOwn = code === exitCodes.interrupted || code === exitCodes.internal;
    if (rows === 0 || isOwn) throw error;
    const what = `No figures: the list stopped after ${countOf(rows, 'transaction')}. ${message}`;
    throw new Failure(exitCodes.incomplete, what, { hint, status, cause: error });
  }
}
