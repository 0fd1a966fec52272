/** Runs `cb sync --to singer`: writes the account as Singer messages to stdout. */
import { readFileSync } from 'node:fs';
import { pacificDay } from '../../dates/pacific.ts';
import { type CopiedAccount, continuedAccount, lostBy } from '../../workflows/sync/access.ts';
import { type Budget, openBudget } from '../../workflows/sync/budget.ts';
import { DestinationError } from '../../workflows/sync/destination.ts';
import { usualRowsOf } from '../../workflows/sync/estimate.ts';
import { syncAccount } from '../../workflows/sync/run.ts';
import { singerDestination } from '../../workflows/sync/singer/singer-destination.ts';
import {
  accountsOf,
  emptyState,
  readState,
  type StateValue,
  withAccount,
} from '../../workflows/sync/singer/state.ts';
import { type Sink, writeTo } from '../display/sink.ts';
import { accountContexts } from '../lists/accounts.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { pathOf } from '../runtime/folders.ts';
import { serviceNow } from '../session/clock-difference.ts';
import { type Session, withApi } from '../session/session.ts';
import { serviceLabel } from './place.ts';
import { accountAfter, nicknamesOf, refreshWithin, requestsOfADay } from './sync-account.ts';
import { type AskedSync, readSyncFlags, type SyncFlags } from './sync-options.ts';
import { startSyncProgress } from './sync-progress.ts';
import { reportSync } from './sync-report.ts';

export interface SingerFlags extends SyncFlags {
  readonly to?: string;
  readonly state?: string;
}

/** Throws a usage failure for options that only a database has. `typed` is the database, if one was named. */
export async function runSinger(
  cmd: CommandContext,
  typed: string | undefined,
  flags: SingerFlags,
): Promise<void> {
  requireSinger(typed, flags);
  const asked = await readSyncFlags(cmd, flags);
  const [only, another] = await accountContexts(cmd);
  if (another) {
    throw usage('--to singer takes one profile.', { hint: 'Run it once for each profile.' });
  }
  const stored = flags.state === undefined ? undefined : storedState(cmd, flags.state);
  await writeTo(cmd.context, undefined, (sink) => syncTo(only, sink, asked, stored));
}

function requireSinger(typed: string | undefined, flags: SingerFlags): void {
  if (flags.to?.toLowerCase() !== 'singer') {
    throw usage(`Invalid --to '${flags.to ?? ''}'.`, { hint: 'Use singer.' });
  }
  const { dryRun, every, schema, wait, acceptAccess, newAccount } = flags;
  const given = {
    ...{ '--dry-run': dryRun, '--every': every, '--schema': schema, '--wait': wait },
    ...{ '--accept-access': acceptAccess, '--new-account': newAccount },
  };
  const [option] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  const other = typed === undefined ? option : 'A database';
  if (other !== undefined) {
    throw usage(`${other} can't be combined with --to singer, which writes to stdout.`);
  }
}

/** An empty file, as before the first run, is no state. */
function storedState({ context }: CommandContext, typed: string): StateValue | undefined {
  const path = pathOf(context, typed);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw usage(`--state ${path} can't be read (${code}).`, {
      hint: 'Leave out --state in the first run.',
      cause,
    });
  }
  return text.trim() === '' ? undefined : readState(text);
}

function syncTo(
  cmd: CommandContext,
  sink: Sink,
  asked: AskedSync,
  stored: StateValue | undefined,
): Promise<void> {
  const budget = openBudget(asked.maxRequests ?? requestsOfADay);
  return withApi(cmd, { onRequest: () => budget.take() }, async (client, session) => {
    const value = stateFor(session, asked, stored);
    const nicknames = await nicknamesOf(client);
    const now = () => serviceNow(cmd.context);
    const today = pacificDay(now().getTime() / 1000);
    const accounts = accountsOf(value);
    const known = continuedAccount(accounts, nicknames, { label: 'The state' });
    requireAll(known, nicknames);
    const found = { accounts, known, nicknames, today, asked };
    const account = accountAfter(found, { days: new Map(), lists: new Map() });
    const destination = singerDestination(withAccount(value, account), {
      write: (lines) => sink.write(lines),
    });
    const reader = { client, nicknames, today, signal: cmd.context.signal };
    const { sources, required, dueNow, lookBack, readsAll, withoutPersonalData } = asked;
    const since = account.firstDay;
    const state = await destination.state(account.account);
    const progress = startSyncProgress(cmd, budget);
    try {
      const result = await syncAccount({
        ...{ account: account.account, reader, destination, sources, required, dueNow, since },
        ...{ lookBack, readsAll, refreshWithin, budget, now },
        usualRows: await usualRowsOf(reader, sources, state, since),
        isAnonymous: () => withoutPersonalData,
        onProgress: progress.show,
      });
      progress.stop();
      tell(cmd, budget, asked, { account: account.account, result, session });
    } finally {
      progress.stop();
    }
  });
}

/** A target can't keep a part of the rows of a day. Throws a DestinationError. */
function requireAll(known: CopiedAccount | undefined, nicknames: readonly string[]): void {
  const lost = known ? lostBy(known, nicknames) : [];
  if (lost.length === 0) return;
  throw new DestinationError(
    'unsuitable',
    `The state has ${lost.join(', ')}, which the API key can't read.`,
    { hint: 'Use a key that can, or leave out --state to start again.' },
  );
}

/** Throws a DestinationError for the state of another service, or with other personal data. */
function stateFor(
  session: Session,
  { withoutPersonalData }: AskedSync,
  stored: StateValue | undefined,
): StateValue {
  const service = serviceLabel(session);
  if (!stored) return emptyState(service, withoutPersonalData);
  if (stored.service !== service) {
    throw new DestinationError(
      'unsuitable',
      `The state is of ${stored.service}, not of ${service}.`,
      { hint: 'Use another state, or leave out --state to start again.' },
    );
  }
  if (stored.without_personal_data === withoutPersonalData) return stored;
  const before = stored.without_personal_data ? 'with' : 'without';
  throw new DestinationError(
    'unsuitable',
    `The state was written ${before} --without-personal-data.`,
    {
      hint: 'Do the same, or leave out --state to start again.',
    },
  );
}

interface Ended {
  readonly account: string;
  readonly result: Parameters<typeof reportSync>[1]['result'];
  readonly session: Session;
}

function tell(
  cmd: CommandContext,
  budget: Budget,
  asked: AskedSync,
  { account, result, session: { profile } }: Ended,
): void {
  const requests = budget.spent();
  const requestsLeftToday = Math.max(0, requestsOfADay - requests);
  const synced = { account, profile, result, nicknames: [], lost: undefined };
  reportSync(cmd, { ...synced, requests, requestsLeftToday }, asked, 'stdout');
}
