/** The options of `cb sync` as typed, and what they mean. */
import type { Day } from '../../dates/day.ts';
import type { CommandContext } from '../../shell/context.ts';
import type { FlagsOf } from '../../shell/define.ts';
import { usage } from '../../shell/failure.ts';
import { sinceDay } from '../../shell/options/findings.ts';
import { wholeNumber } from '../../shell/options/flags.ts';
import { suggest } from '../../shell/options/nearest.ts';
import { durationFrom } from '../../shell/options/values.ts';
import { serviceDayOf } from '../../shell/session/session.ts';
import { sources, usualSources } from './tables/sources.ts';
import type { Source } from './tables/table.ts';

/** The options by the name under which their values are found. */
export const syncOptions = {
  since: ['--since <date>', 'First day to copy (default: 730 days ago)'],
  tables: ['--tables <names>', 'Tables to copy, such as orders,tickets (default: all)'],
  lookBack: ['--look-back <days>', 'Days to refresh, such as 60d'],
  live: ['--live', 'Refresh older orders weekly, beside a listener'],
  maxRequests: ['--max-requests <n>', 'Maximum number of requests for each account'],
  withoutPersonalData: [
    '--without-personal-data',
    'Leave out the names, addresses and messages of customers',
  ],
  dryRun: ['--dry-run', 'Show the plan and how many requests it takes'],
  every: ['--every <time>', 'Run again and again, such as every 15m, until stopped'],
  wait: ['--wait <time>', 'Maximum time to wait for another sync (default: do not wait)'],
  acceptAccess: ['--accept-access', 'Accept that the key can no longer read some nicknames'],
  newAccount: ['--new-account', 'Copy a key that shares some nicknames as a separate account'],
  to: ['--to <format>', 'Write an existing copy to a folder: parquet'],
  from: ['--from <db>', 'The copy for --to (default: the file of cb sync)'],
  schema: ['--schema <name>', 'Schema in PostgreSQL (default: clickbank)'],
} as const;

export type SyncFlags = FlagsOf<typeof syncOptions, { readonly '[database]': string }>;

/** What the options ask for. */
export type AskedSync = Awaited<ReturnType<typeof readSyncFlags>>;

/** The refund period of ClickBank, in days: until then, most states can still change. */
const usualLookBack = 60;

const aDay = 86_400_000;

const waits = { bare: 's', most: aDay, examples: '30s or 10m' } as const;
const intervals = { bare: 'm', least: 60_000, most: 7 * aDay, examples: '15m or 1h' } as const;
const lookBacks = { bare: 'd', most: 3650 * aDay, examples: '60d or 2w' } as const;

/** Throws a usage failure that names the invalid option. */
export async function readSyncFlags(cmd: CommandContext, flags: SyncFlags) {
  const { tables, lookBack, maxRequests, since, wait = '0s' } = flags;
  const named = tables === undefined ? undefined : sourcesNamed(tables);
  if (flags.live && lookBack !== undefined) {
    throw usage("--live can't be combined with --look-back.");
  }
  const names: ReadonlySet<string> = new Set(named?.map(({ name }) => name));
  return {
    sources: named ?? usualSources,
    /** Sources that were named: they must be readable. */
    required: names,
    /** Sources that are read even if they were read less than a day ago. */
    dueNow: names,
    /** The access to what the key can no longer read has ended. */
    acceptsEnd: flags.acceptAccess,
    /** A key that would mix accounts is copied as a separate account. */
    isNew: flags.newAccount,
    /** All days of the look-back are read in each run, because they were asked for. */
    readsAll: lookBack !== undefined,
    isLive: flags.live ?? false,
    /** Days before today that are read again. */
    lookBack:
      lookBack === undefined
        ? usualLookBack
        : Math.ceil(durationFrom('--look-back', lookBack, lookBacks) / aDay),
    maxRequests:
      maxRequests === undefined ? undefined : wholeNumber('--max-requests', maxRequests, 1),
    withoutPersonalData: flags.withoutPersonalData ?? false,
    /** Milliseconds to wait for another sync. */
    patience: durationFrom('--wait', wait, waits),
    // Last, because it can need the time of the service.
    since: since === undefined ? undefined : await dayFrom(cmd, since),
  };
}

/** Milliseconds between two runs of `--every`; undefined for a single run. */
export function intervalOf({ every }: SyncFlags): number | undefined {
  return every === undefined ? undefined : durationFrom('--every', every, intervals);
}

/** The tables that can be named: each brings those that belong to it, such as order_items. */
export const tableNames: readonly string[] = sources.map(({ name }) => name);

function sourcesNamed(typed: string): readonly Source[] {
  const names = typed.split(',').map((name) => name.trim().toLowerCase());
  const unknown = names.find((name) => !tableNames.includes(name));
  if (unknown === undefined) return sources.filter(({ name }) => names.includes(name));
  const parent = sources.find(({ tables }) => tables.some(({ name }) => name === unknown));
  const hint = parent
    ? `It comes with ${parent.name}: use --tables ${parent.name}.`
    : suggest(unknown, tableNames, `Use one or several of ${tableNames.join(', ')}.`);
  throw usage(`Invalid --tables '${unknown}'.`, { hint });
}

async function dayFrom(cmd: CommandContext, typed: string): Promise<Day> {
  const { allProfiles: _, profile, ...flags } = cmd.flags;
  const [first] = profile?.split(',') ?? [];
  const today = await serviceDayOf({
    ...cmd,
    flags: { ...flags, ...(first && { profile: first }) },
  });
  const day = sinceDay(typed, today);
  if (day <= today) return day;
  throw usage(`--since ${day} is after today.`, { hint: 'Use the first day to copy.' });
}
