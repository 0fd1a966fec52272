/** Reads several accounts at once: `--profile a,b,c` and `--all-profiles`. */
import type { Client } from '../../client/client.ts';
import { serviceIdentity } from '../../client/http/origin.ts';
import { type Resource, text } from '../../operations/resource.ts';
import type { Row } from '../../output/rows/rows.ts';
import { isBuiltIn } from '../../profiles/credentials.ts';
import { type CommandContext, sayFailure } from '../../shell/context.ts';
import { listedByOthers } from '../../shell/display/summary.ts';
import type { View } from '../../shell/display/view.ts';
import { exitCodes, Failure, failureFrom, usage } from '../../shell/failure.ts';
import { type ClientWishes, withApi } from '../../shell/session/session.ts';
import { profilesOf } from '../../shell/session/stored-profiles.ts';
import type { Account as Identity } from '../../storage/fingerprint.ts';
import { accountsOf, withoutOrder } from '../earnings/transaction.ts';

/** An open client with the key of one profile. */
export interface Account {
  readonly profile: string | undefined;
  readonly baseUrl: string;
  /** Identifies the account in state on the disk. */
  readonly identity: Identity;
  readonly api: Client;
}

/** The service of an account; the built-in sandbox has a different port each time. */
export function serviceOf({ profile, baseUrl }: Account): string {
  return profile !== undefined && isBuiltIn(profile) ? 'sandbox' : baseUrl;
}

/** Returns a context for each account; only this one if a single profile is used. */
export async function accountContexts(
  cmd: CommandContext,
): Promise<readonly [CommandContext, ...CommandContext[]]> {
  const { allProfiles, ...flags } = cmd.flags;
  const profiles = await profilesAsked(cmd);
  const [first, ...others] = profiles.map((profile) => ({ ...cmd, flags: { ...flags, profile } }));
  return [first ?? cmd, ...others];
}

async function profilesAsked(cmd: CommandContext): Promise<readonly string[]> {
  const { profile, allProfiles, sandbox } = cmd.flags;
  if (!allProfiles) {
    if (!profile?.includes(',')) return [];
    const names = profile.split(',').map((name) => name.trim());
    if (!names.includes('') && new Set(names).size === names.length) return names;
    throw usage(`--profile '${profile}' must name each profile once.`);
  }
  if (profile !== undefined || sandbox) {
    const other = sandbox ? '--sandbox' : '--profile';
    throw usage(`--all-profiles and ${other} can't be combined.`, {
      hint: 'Use one or the other.',
    });
  }
  const names = (await profilesOf(cmd)).names();
  if (names.length > 0) return names;
  throw new Failure(exitCodes.key, 'There are no profiles yet.', { next: 'cb login' });
}

/** Opens the service for each context, and closes all of them at the end. */
export async function withAccounts(
  contexts: readonly CommandContext[],
  wishes: ClientWishes,
  work: (accounts: readonly Account[]) => Promise<void>,
  opened: readonly Account[] = [],
): Promise<void> {
  const [cmd, ...others] = contexts;
  if (!cmd) return work(opened);
  await withApi(cmd, wishes, (api, { profile, baseUrl, key }) => {
    const identity = { baseUrl: serviceIdentity(baseUrl, key), key };
    return withAccounts(others, wishes, work, [...opened, { profile, baseUrl, identity, api }]);
  });
}

export function withProfile(resource: Resource): Resource {
  return {
    ...resource,
    headline: ['profile', ...resource.headline],
    fields: { profile: { ...text, names: 'account' }, ...resource.fields },
  };
}

/** The view of the rows of several accounts: a table with the profile of each row. A row that several keys read is summed once. */
export function ofAccounts({ screen, ...view }: View): View {
  const { resource, columns } = view;
  const named = columns && {
    columns: (rows: readonly Row[]) => {
      const { shown, needed, ...others } = columns(rows);
      return { shown: ['profile', ...shown], needed: ['profile', ...needed], ...others };
    },
  };
  const isListed = listedByOthers();
  // A share that an earlier list also has comes without the amounts of its order.
  const isRepeated = (row: Row) => isListed(withoutOrder(row));
  return { ...view, ...named, resource: withProfile(resource), isRepeated, layout: 'rows' };
}

/** Says which accounts several of the keys read, because a list has their rows once for each key. */
export async function tellShared(cmd: CommandContext, opened: readonly Account[]): Promise<void> {
  const read = opened.map(async (account) => {
    // A key that may not ask for its accounts says nothing.
    const names = await accountsOf(account.api, { retries: false }).catch(() => []);
    return names.map((name) => `${name} at ${serviceOf(account)}`);
  });
  const all = (await Promise.all(read)).flat();
  const shared = all.filter((one, at) => all.indexOf(one) < at);
  const names = [...new Set(shared.map((one) => one.split(' ', 1)[0]))].join(', ');
  if (names === '') return;
  cmd.messages.say(
    `note: The rows of ${names} are listed once for each profile that can read them.`,
  );
}

/**
 * Reports a failure, such as that of one account, while the rest continues; the exit code is then `incomplete`. Throws
 * the last failure if all others have failed, too, so that no file is replaced.
 */
export function reportFailure(cmd: CommandContext, what: string, error: unknown, isLast = false) {
  if (cmd.context.signal.aborted) throw error;
  const failure = failureFrom(error);
  if (isLast) throw new Failure(failure.code, `${what}: ${failure.message}`, failure);
  sayFailure(cmd, what, failure);
  cmd.endWith(exitCodes.incomplete);
}

/**
 * Calls `ask` for all accounts at the same time, and returns the results in the order of the accounts. Throws if all
 * fail; otherwise, reports the errors.
 */
export async function askEach<T, A extends Pick<Account, 'profile'>>(
  cmd: CommandContext,
  accounts: readonly A[],
  ask: (account: A) => Promise<T>,
): Promise<{ readonly account: A; readonly answer: T }[]> {
  const settled = await Promise.allSettled(accounts.map(ask));
  const haveAllFailed = settled.every(({ status }) => status === 'rejected');
  return accounts.flatMap((account, i) => {
    const result = settled[i];
    if (result?.status === 'fulfilled') return [{ account, answer: result.value }];
    if (accounts.length === 1) throw result?.reason;
    const isLast = haveAllFailed && i === accounts.length - 1;
    reportFailure(cmd, `Profile ${account.profile}`, result?.reason, isLast);
    return [];
  });
}
