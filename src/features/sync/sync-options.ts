/** The options of `cb sync` as typed, and what they mean. */
import type { Day } from '../../dates/day.ts';
import { dayForms, possibleDays } from '../../dates/words.ts';
import type { CommandContext, CommonFlags } from '../../shell/command-context.ts';
import { usage } from '../../shell/failure.ts';
import { wholeNumber } from '../../shell/options/flags.ts';
import { nearest } from '../../shell/options/nearest.ts';
import { durationFrom } from '../../shell/options/values.ts';
import { serviceDayOf } from '../../shell/session/service-clock.ts';
import { requirePacific } from '../../shell/terminal/zone.ts';
import { sources, usualSources } from './tables/sources.ts';
import type { Source } from './tables/table.ts';

export interface SyncFlags extends CommonFlags {
  readonly tables?: string;
  readonly since?: string;
  readonly lookBack?: string;
  readonly maxRequests?: string;
  readonly withoutPersonalData?: boolean;
  readonly schema?: string;
  readonly dryRun?: boolean;
  readonly every?: string;
  readonly wait?: string;
  readonly acceptAccess?: boolean;
  readonly newAccount?: boolean;
}

export interface AskedSync {
  readonly sources: readonly Source[];
  /** Sources that were named: they must be readable. */
  readonly required: ReadonlySet<string>;
  /** Sources that are read even if they were read less than a day ago. */
  readonly dueNow: ReadonlySet<string>;
  /** The access to what the key can no longer read has ended. */
  readonly acceptsEnd: boolean | undefined;
  /** A key that would mix accounts is copied as a separate account. */
  readonly isNew: boolean | undefined;
  readonly since: Day | undefined;
  /** Days before today that are read again. */
  readonly lookBack: number;
  /** All of these days are read in each run, because they were asked for. */
  readonly readsAll: boolean;
  readonly maxRequests: number | undefined;
  readonly withoutPersonalData: boolean;
  /** Milliseconds to wait for another sync. */
  readonly patience: number;
}

/** The refund period of ClickBank, in days: until then, most states can still change. */
const usualLookBack = 60;

const aDay = 86_400_000;

const waits = { bare: 's', most: aDay, examples: '30s or 10m' } as const;
const intervals = { bare: 'm', least: 60_000, most: 7 * aDay, examples: '15m or 1h' } as const;
const lookBacks = { bare: 'd', most: 3650 * aDay, examples: '60d or 2w' } as const;

/** Throws a usage failure that names the invalid option. */
export async function readSyncFlags(cmd: CommandContext, flags: SyncFlags): Promise<AskedSync> {
  requirePacific(cmd);
  const { tables, lookBack, maxRequests, since, wait = '0s' } = flags;
  const named = tables === undefined ? undefined : sourcesNamed(tables);
  const names = new Set(named?.map(({ name }) => name));
  return {
    sources: named ?? usualSources,
    ...{ required: names, dueNow: names, acceptsEnd: flags.acceptAccess, isNew: flags.newAccount },
    readsAll: lookBack !== undefined,
    lookBack:
      lookBack === undefined
        ? usualLookBack
        : Math.ceil(durationFrom('--look-back', lookBack, lookBacks) / aDay),
    maxRequests:
      maxRequests === undefined ? undefined : wholeNumber('--max-requests', maxRequests, 1),
    withoutPersonalData: flags.withoutPersonalData ?? false,
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
  const near = nearest(unknown, tableNames);
  const hint = parent
    ? `It comes with ${parent.name}: use --tables ${parent.name}.`
    : near
      ? `Did you mean ${near}?`
      : `Use one or several of ${tableNames.join(', ')}.`;
  throw usage(`Invalid --tables '${unknown}'.`, { hint });
}

async function dayFrom(cmd: CommandContext, typed: string): Promise<Day> {
  const { allProfiles: _, profile, ...flags } = cmd.flags;
  const [first] = profile?.split(',') ?? [];
  const today = await serviceDayOf({
    ...cmd,
    flags: { ...flags, ...(first && { profile: first }) },
  });
  const [day, other] = possibleDays(typed, today);
  if (day === undefined) {
    throw usage(`Invalid --since '${typed}'.`, { hint: `Use ${dayForms}. See cb help dates.` });
  }
  if (other !== undefined) {
    throw usage(`Ambiguous --since '${typed}'.`, { hint: `Use ${day} or ${other}.` });
  }
  if (day <= today) return day;
  throw usage(`--since ${day} is after today.`, { hint: 'Use the first day to copy.' });
}
