/** Decides which account of a schedule a key continues: the accounts that it can read count, not its name. */
import { type Account, matchesFingerprint } from '../../storage/fingerprint.ts';
import { WorkflowError } from '../errors.ts';
import type { AccountState } from './state.ts';

/** An account of a run. */
export interface OpenedAccount {
  /** Of the profile; empty for a key from the environment. */
  readonly name: string;
  readonly identity: Account;
  /** What the key can read; undefined if it may not ask. */
  readonly nicknames: readonly string[] | undefined;
}

/** An account of the state. */
export interface StoredAccount {
  readonly name: string;
  readonly state: AccountState;
}

/** What the key can read, beside what the state was written with. */
type Relation = 'equal' | 'more' | 'fewer' | 'other' | 'unknown';

function relationOf({ state }: StoredAccount, { identity, nicknames }: OpenedAccount): Relation {
  const before = state.nicknames;
  if (!before || !nicknames) {
    return matchesFingerprint(state.fingerprint, identity) ? 'equal' : 'unknown';
  }
  if (state.baseUrl !== identity.baseUrl) return 'other';
  const kept = before.filter((name) => nicknames.includes(name));
  if (kept.length === 0) return 'other';
  if (kept.length < before.length) return 'fewer';
  return nicknames.length > before.length ? 'more' : 'equal';
}

type Test = (relation: Relation, one: StoredAccount, account: OpenedAccount) => boolean;

/** Which accounts continue which ones of the state, the surest first. */
const tests: readonly Test[] = [
  (relation, one, { name }) => relation === 'equal' && one.name === name,
  (relation) => relation === 'equal',
  (relation) => relation === 'more',
];

/**
 * Returns what each account continues; accounts are new in a first run, and beside a known one. Throws a WorkflowError
 * of kind `other-account` if an account could repeat or lack rows of the schedule `name`.
 */
export function continuedAccounts(
  name: string,
  stored: readonly StoredAccount[],
  opened: readonly OpenedAccount[],
): ReadonlyMap<OpenedAccount, StoredAccount> {
  const found = new Map<OpenedAccount, StoredAccount>();
  const left = new Set(stored);
  for (const test of tests) {
    for (const account of opened) {
      if (found.has(account)) continue;
      const one = [...left].find((each) => test(relationOf(each, account), each, account));
      if (!one) continue;
      found.set(account, one);
      left.delete(one);
    }
  }
  for (const account of opened) {
    if (found.has(account)) continue;
    const others = [...left];
    const blocking =
      others.find((one) => one.name === account.name) ??
      others.find((one) => relationOf(one, account) === 'fewer') ??
      (found.size === 0 ? others[0] : undefined);
    if (blocking) throw otherAccount(name, blocking, account);
  }
  return found;
}

function otherAccount(name: string, stored: StoredAccount, account: OpenedAccount): WorkflowError {
  const { baseUrl, nicknames = [] } = stored.state;
  const relation = relationOf(stored, account);
  const profile = account.name === '' ? '' : ` of profile ${account.name}`;
  const says = `The incremental export '${name}'`;
  if (relation === 'unknown') {
    return new WorkflowError(
      'other-account',
      `${says} was made with another API key or service${profile}.`,
      {
        hint: 'Nothing was written. Run it once with the key of before, or use another name for this account.',
      },
    );
  }
  const isElsewhere = baseUrl !== account.identity.baseUrl;
  const lost = nicknames.filter((one) => !account.nicknames?.includes(one)).join(', ');
  const message = isElsewhere
    ? `${says} has rows of ${baseUrl}, not of ${account.identity.baseUrl}.`
    : `${says} has rows of ${lost}, which the API key${profile} can't read.`;
  return new WorkflowError('other-account', message, {
    hint: 'Nothing was written. Use a key that can, or another name and another file for this key.',
  });
}
