/** Several accounts at once: `--profile a,b,c` and `--all-profiles`, for what only reads. */
import type { Client } from '../../client/client.ts';
import { serviceName } from '../../client/http/origin.ts';
import type { Resource } from '../../operations/resource.ts';
import { text } from '../../operations/resource.ts';
import type { Account as Identity } from '../../storage/fingerprint.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure, failureFrom, usage } from '../runtime/failure.ts';
import { type ClientWishes, profilesOf, withApi } from '../session/session.ts';

/** A way to the service with the key of one profile. */
export interface Account {
  readonly profile: string | undefined;
  readonly baseUrl: string;
  /** What tells it from other accounts, in state on the disk. */
  readonly identity: Identity;
  readonly api: Client;
}

/** The context of each account that is asked for; just this one unless several are named. */
export async function accountContexts(
  cmd: CommandContext,
): Promise<readonly [CommandContext, ...CommandContext[]]> {
  const [first, ...others] = await profilesAsked(cmd);
  if (first === undefined) return [cmd];
  const { allProfiles, ...flags } = cmd.flags;
  const contextOf = (profile: string) => ({ ...cmd, flags: { ...flags, profile } });
  return [contextOf(first), ...others.map(contextOf)];
}

async function profilesAsked(cmd: CommandContext): Promise<readonly string[]> {
  const { profile, allProfiles, sandbox } = cmd.flags;
  if (!allProfiles) return severalOf(profile);
  if (profile !== undefined || sandbox) {
    throw usage(`--all-profiles and --${sandbox ? 'sandbox' : 'profile'} name different profiles`);
  }
  const names = (await profilesOf(cmd)).names();
  if (names.length > 0) return names;
  throw new Failure(exitCodes.key, 'there are no profiles yet', { next: 'cb login' });
}

function severalOf(profile: string | undefined): readonly string[] {
  if (!profile?.includes(',')) return [];
  const names = profile.split(',').map((name) => name.trim());
  const twice = names.find((name, i) => name === '' || names.indexOf(name) !== i);
  if (twice === '') throw usage(`--profile '${profile}' has an empty name`);
  if (twice !== undefined) throw usage(`--profile names ${twice} twice`);
  return names;
}

/** Opens the service for each of the shells, and closes all at the end. */
export async function withAccounts(
  contexts: readonly CommandContext[],
  wishes: ClientWishes,
  work: (accounts: readonly Account[]) => Promise<void>,
  opened: readonly Account[] = [],
): Promise<void> {
  const [cmd, ...others] = contexts;
  if (!cmd) return work(opened);
  await withApi(cmd, wishes, (api, { profile, baseUrl, key }) => {
    const identity = { baseUrl: serviceName(baseUrl, key), key };
    return withAccounts(others, wishes, work, [...opened, { profile, baseUrl, identity, api }]);
  });
}

/** The resource with the name of the profile before its own fields. */
export function withProfile(resource: Resource): Resource {
  return {
    ...resource,
    headline: ['profile', ...resource.headline],
    fields: { profile: text, ...resource.fields },
  };
}

/** Tells of accounts that fail while others come through; at the end they are one exit code. */
export function failuresOf(cmd: CommandContext) {
  const failed = new Set<Account>();
  return {
    get any() {
      return failed.size > 0;
    },
    has: (account: Account) => failed.has(account),
    add(account: Account, error: unknown): void {
      if (cmd.context.signal.aborted) throw error;
      const { profile } = account;
      const { message, hint } = failureFrom(error);
      cmd.messages.say(`cb: profile ${profile}: ${message}${hint ? ` (${hint})` : ''}`);
      failed.add(account);
      cmd.endWith(exitCodes.incomplete);
    },
  };
}

/**
 * What each account answers, asked for side by side, in the order of the accounts. The failure of a single
 * account is thrown, those of several are told.
 */
export async function askEach<T>(
  cmd: CommandContext,
  accounts: readonly Account[],
  ask: (account: Account) => Promise<T>,
): Promise<{ readonly account: Account; readonly answer: T }[]> {
  const failures = failuresOf(cmd);
  const asked = await Promise.all(
    accounts.map((account) =>
      ask(account).then(
        (answer) => ({ account, answer }),
        (error: unknown) => ({ account, error }),
      ),
    ),
  );
  return asked.flatMap((one) => {
    if ('answer' in one) return [one];
    if (accounts.length === 1) throw one.error;
    failures.add(one.account, one.error);
    return [];
  });
}
