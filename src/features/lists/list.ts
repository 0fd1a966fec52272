/** Runs an operation that lists the rows of one account or several, once or as an export that later runs continue. */
import { parse } from 'lossless-json';
import type { Client } from '../../client/client.ts';
import { type Clock, realClock } from '../../client/clock.ts';
import { countRows, countSoon } from '../../client/paging/count.ts';
import { datingPeriod, splitParameter } from '../../client/paging/windows.ts';
import { argumentsOf, daysIn, type ZonedPeriods, zonedPeriods } from '../../client/zoned-period.ts';
import { type Day, daysBetween, serviceZone } from '../../dates/day.ts';
import { groupedCount } from '../../decimals/decimals.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { isWrittenByPage } from '../../output/options.ts';
import { type Row, toJson } from '../../output/rows/rows.ts';
import type { Tally } from '../../output/stream.ts';
import { isBuiltIn } from '../../profiles/credentials.ts';
import type { CommandContext } from '../../shell/context.ts';
import { chartingFor, requireFigure } from '../../shell/display/chart.ts';
import { startProgress } from '../../shell/display/progress.ts';
import { showPages } from '../../shell/display/show.ts';
import { fileOf, placeOf } from '../../shell/display/sink.ts';
import type { View } from '../../shell/display/view.ts';
import { exitCodes, Failure, failureFrom, usage } from '../../shell/failure.ts';
import { lock } from '../../shell/lock.ts';
import { flagName, holdsDays, type Typed } from '../../shell/options/flags.ts';
import { type OutputOptions, requireShowable } from '../../shell/options/show-flags.ts';
import {
  type ClientWishes,
  serviceDayOf,
  serviceNow,
  todayOf,
} from '../../shell/session/session.ts';
import { shellWord } from '../../shell/shell-word.ts';
import { timeZoneOf } from '../../shell/terminal/zone.ts';
import { createFingerprint, digestOf, matchesFingerprint } from '../../storage/fingerprint.ts';
import { argumentsOfEach, type EndpointOptions } from '../mirror/arguments.ts';
import { type Account, accountContexts, ofAccounts, tellShared, withAccounts } from './accounts.ts';
import type { IncrementalExport } from './incremental-export.ts';
import { type ExportPosition, type ListRun, pagesOf, type Source } from './list-sources.ts';
import { openPartFile, type PartFile, partOf } from './part-file.ts';

export async function readRows(
  cmd: CommandContext,
  operation: Operation,
  typed: Typed,
  output: OutputOptions,
  options: EndpointOptions,
  wishes: ClientWishes,
): Promise<void> {
  const { sinceLast, resume = false, page } = output;
  const incremental = sinceLast === undefined ? undefined : await import('./incremental-export.ts');
  incremental?.requireName(sinceLast ?? '');
  if (options.chart) requireFigure(output, options.chart);
  const contexts = await accountContexts(cmd);
  const [first] = contexts;
  const place = placeOf(cmd.context, output.out);
  const mayResume = place.kind === 'file' && isWrittenByPage(output) && page === undefined;
  const file = mayResume
    ? await openPartFile(place.path, await lock(cmd.context, partOf(place.path)), resume)
    : undefined;
  let since: IncrementalExport | undefined;
  try {
    const zone = timeZoneOf(cmd).name;
    const needsDay = zone !== serviceZone || holdsDays(operation, typed);
    const source = incremental ? 'service' : needsDay ? 'local' : 'machine';
    const day = file?.held?.day ?? (await todayOf(first, source));
    const serviceDay = file?.held?.serviceDay ?? (await serviceDayOf(first, source));
    const given = incremental?.withIncrementalDays(operation, typed, day) ?? typed;
    const { many } = options;
    const { each: asked, notes } = await argumentsOfEach(first, operation, given, many, day);
    const { each, ranges } = zonedArguments(operation, asked, zone, day);
    const [args] = each;
    requireOneResponse(operation, args, output, ranges);
    const hasAccounts = contexts.length > 1;
    const facts = { typed, now: () => serviceNow(cmd.context), zone };
    const { returns } = operation;
    const resource = 'resource' in returns ? returns.resource : undefined;
    if (!resource) throw new Error('a list has a resource');
    const plain = options.view?.(args, { ...facts, resource }) ?? { resource, layout: 'rows' };
    const charting = options.chart && chartingFor(output, options.chart, plain, args);
    const view: View = { ...plain, ...(charting && { chart: charting }) };
    const shownView = hasAccounts ? ofAccounts(view) : view;
    await requireShowable(output, shownView.resource);
    // An incremental export has no end, and it keeps its beginning.
    const main = ranges.find(({ names }) => names.first === datingPeriod(operation)?.first);
    const from = { today: serviceDay, start: main?.start };
    since = await incremental?.openIncrementalExport(cmd, operation, args, output, from);
    const bounds = since ? ranges.filter((range) => range !== main) : ranges;
    const shown = since?.append?.output ?? output;
    const list = { cmd, operation, output: shown, view: shownView, each, many, hasAccounts, notes };
    const { tellMore } = options;
    const run = { ...list, tellMore, zone, bounds, file, since, day, serviceDay };
    await withAccounts(contexts, wishes, (accounts) => showAccounts(run, accounts));
  } finally {
    await since?.close();
    await file?.discard();
  }
}

/** Returns the arguments of each request with Pacific days, and the parts of these days that are in the period. */
export function zonedArguments(
  operation: Operation,
  each: ListRun['each'],
  zone: string,
  today: Day | undefined,
): { readonly each: ListRun['each']; readonly ranges: ZonedPeriods['ranges'] } {
  const [first, ...others] = each;
  const { args, ranges } = zonedPeriods(operation, first, zone, today);
  const rest = others.map((one) => zonedPeriods(operation, one, zone, today).args);
  return { each: [args, ...rest], ranges };
}

/** Throws if the output must be one response but several values or days of another zone require several. */
export function requireOneResponse(
  operation: Operation,
  args: Arguments,
  { format, page }: OutputOptions,
  ranges: readonly unknown[],
): void {
  const received = format === 'raw' ? '--raw' : format === 'xml' ? '-o xml' : undefined;
  const option = received ?? (page !== undefined ? '--page' : undefined);
  if (option === undefined) return;
  const name = splitParameter(operation, args);
  if (name !== undefined) {
    const flag = flagName(operation, name);
    throw usage(`${option} shows one response of ClickBank, so it requires a single ${flag}.`, {
      hint: `Several values of ${flag} are several requests. Run the command once for each value${received ? ', or use -o json' : ''}.`,
    });
  }
  if (ranges.length === 0) return;
  throw usage(
    `${option} shows one response of ClickBank, which has Pacific days, so it can't be combined with --tz.`,
    { hint: 'Leave out one of them.' },
  );
}

async function showAccounts(run: ListRun, accounts: readonly Account[]): Promise<void> {
  const { cmd, operation, output, view, each, file, since } = run;
  const basis = file && basisOf(run, file, accounts);
  const sources = await sourcesOf(run, accounts);
  const { rows = 0, first } = file?.held ?? {};
  const tally: Tally = { pages: 0, rows, ...(first && { first: parse(first) as readonly Row[] }) };
  const isFile = placeOf(cmd.context, output.out).kind === 'file';
  const save = async (position: ExportPosition) => {
    if (since?.append) return since.append.commit();
    if (file && basis) {
      const windowDays = sources.map(({ cut }) => cut.days ?? null);
      const seen = sources.map(({ since: known }) => known?.seen() ?? {});
      const page = tally.first ? toJson(tally.first as readonly Row[]) : null;
      const { rows } = tally;
      return file.save({ ...basis, ...position, windowDays, rows, first: page, seen });
    }
    // What went to a stream can't be taken back.
    if (!isFile && isWrittenByPage(output)) await since?.schedule.commit();
  };
  // Not if the rows go to the same terminal.
  const isSeen = fileOf(output.out ?? output.append) === undefined && cmd.context.stdout.isTTY;
  const [only, another] = sources;
  const progress =
    cmd.messages.watched && !isSeen
      ? startProgress(cmd, async () => {
          if (!only || another || run.bounds.length > 0) return undefined;
          return countRows(only.account.api, countOf(operation), only.args);
        })
      : undefined;
  const onPage = (rows: number) => progress?.add(rows);
  const going = { tally, into: since?.append ?? file, rendering: since?.append?.rendering, onPage };
  try {
    await showPages(cmd, output, view, pagesOf(run, sources, save), going);
  } catch (error) {
    throw withOutcome(error, run, tally);
  } finally {
    progress?.stop();
  }
  if (isSeen && output.format === 'table' && tally.rows > 0 && only && each.length === 1) {
    await run.tellMore?.(cmd, only.account.api, each[0]);
  }
  if (tally.rows > 0 && !since && accounts.length > 1) await tellShared(cmd, accounts);
  if (tally.rows === 0 && !since && output.limit !== 0) {
    for (const note of wildcardNotes(operation, each[0])) cmd.messages.say(`note: ${note}`);
  }
  if (!since?.append) await since?.schedule.commit();
}

/**
 * The part of a checkpoint that stays the same during a run. Throws a usage failure if the file was started by
 * another command or for another account.
 */
function basisOf(run: ListRun, { held, part }: PartFile, accounts: readonly Account[]) {
  const { operation, each, output, cmd, zone, day, serviceDay } = run;
  const { resume, concurrency, maxPages, ...shown } = output;
  const profiles = accounts.map(({ profile }) => [profile, isBuiltIn(profile ?? '')]);
  const { wire = 'json' } = cmd.flags;
  const { path } = operation;
  // A single request keeps the digest of earlier versions, which could not send several.
  const args = each.length === 1 ? each[0] : each;
  const other = zone === serviceZone ? undefined : zone;
  // What must stay the same to resume a file; the base URL is part of the fingerprints.
  const settings = digestOf(
    JSON.stringify({ path, args, shown, wire, accounts: profiles, zone: other }),
  );
  const fingerprints =
    held?.fingerprints ?? accounts.map(({ identity }) => createFingerprint(identity));
  const isSame =
    !held ||
    accounts.every(({ identity }, i) => matchesFingerprint(fingerprints[i] ?? '', identity));
  const isOther = held && held.settings !== settings;
  if (isOther || !isSame) {
    const owner = isOther ? 'command' : 'API key or service';
    throw usage(`${part} was started ${isOther ? 'by' : 'with'} another ${owner}.`, {
      hint: restart,
    });
  }
  return { settings, fingerprints, day, serviceDay };
}

const restart = 'Nothing was sent. Omit --resume to start over, or choose another file.';

async function sourcesOf(run: ListRun, accounts: readonly Account[]): Promise<Source[]> {
  const { operation, since, each, view, file, serviceDay: today, cmd } = run;
  const range = datingPeriod(operation);
  // Done before the first request for rows, because it checks that the schedule fits each account.
  const runs = await since?.open(accounts, each[0]);
  const planned = accounts.flatMap((account, i) => {
    const known = runs?.[i];
    const days = range && known?.days && argumentsOf(range, known.days);
    return each.map(async (one) => {
      const source = { account, since: known, args: { ...one, ...days } };
      const requests = await view.requests?.(account.api, source.args);
      return requests?.map((request) => ({ ...source, ...request })) ?? [source];
    });
  });
  const sources = (await Promise.all(planned)).flat();
  const held = file?.held;
  if (held && held.windowDays.length !== sources.length) {
    throw usage(`${file.part} was started when the key could read other accounts.`, {
      hint: restart,
    });
  }
  const { clock = realClock } = cmd.context;
  const isCut = file !== undefined || since?.append !== undefined;
  return Promise.all(
    sources.map(async (source, i) => {
      source.since?.restore(held?.seen[i] ?? {});
      // How its period is split, so that a later run can continue it.
      const days = held
        ? (held.windowDays[i] ?? undefined)
        : isCut
          ? await windowDaysFor(source.account.api, operation, source.args, clock)
          : undefined;
      const dailyFrom = since && { dailyFrom: since.schedule.dailyFrom };
      return { ...source, cut: { today, ...(days !== undefined && { days }), ...dailyFrom } };
    }),
  );
}

function countOf({ returns }: Operation): Operation | undefined {
  return 'count' in returns ? returns.count : undefined;
}

/** Adds to an error where the rows received so far are, and how to continue. */
function withOutcome(error: unknown, { cmd, file, since }: ListRun, { rows }: Tally): unknown {
  if (cmd.context.signal.aborted) return error;
  const outcome = file?.isKept
    ? `${groupedCount(rows, 'row')} ${rows === 1 ? 'is' : 'are'} kept in ${file.part}. Pass --resume to continue.`
    : since?.append && `The next run adds the missing rows to ${since.append.path}.`;
  if (!outcome) return error;
  const { code, message, hint, status } = failureFrom(error);
  if (code === exitCodes.usage) return error;
  const before = hint && (hint.endsWith('.') ? hint : `${hint};`);
  const hints = before && hint !== outcome ? `${before} ${outcome}` : outcome;
  return new Failure(code, message, { hint: hints, status, cause: error });
}

/**
 * Notes on an empty list: a filter that was typed without `%` matches whole values only, and each note has the filter
 * to type instead.
 */
export function wildcardNotes(operation: Operation, args: Arguments): string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    const param = operation.params[name];
    if (!param?.wildcard || typeof value !== 'string' || value.includes('%')) return [];
    const pattern = [`%${value}%`, `${value}%`].find(
      (text) => param.pattern?.matches.test(text) ?? true,
    );
    if (pattern === undefined) return [];
    const option = flagName(operation, name);
    const isSale = name === 'vendor' && 'role' in operation.params && args.role === undefined;
    return [
      ...(isSale ? [`For what ${value} earned as an affiliate, use --role AFFILIATE.`] : []),
      `Nothing matches ${option} ${shellWord(value)} exactly. To match part of it, use ${option} '${pattern.replaceAll("'", "'\\''")}'.`,
    ];
  });
}

/**
 * About twenty pages: an interrupted export requests this much again, and a smaller window would not justify a
 * count.
 */
const rowsInAWindow = 2000;

/** In days; shorter periods do not justify a request for a count. */
const shortest = 4;

const month = 31;

/** Maximum time that the list waits for the count, in milliseconds. */
const patience = 2000;

/**
 * Returns the days in a window of the main period, from one day to a month, depending on how many rows the service
 * counts; a month if the count takes too long. Undefined for lists without such a period or with a short one.
 */
async function windowDaysFor(
  api: Client,
  operation: Operation,
  args: Arguments,
  clock: Clock,
): Promise<number | undefined> {
  const range = datingPeriod(operation);
  const asked = range && daysIn(args, range);
  if (!asked) return undefined;
  const days = daysBetween(asked.first, asked.last) + 1;
  if (days < shortest) return undefined;
  const count = countOf(operation);
  const rows = count && (await countSoon(api, count, args, { clock, patience }));
  if (rows === undefined) return month;
  if (rows <= rowsInAWindow) return undefined;
  return Math.max(1, Math.min(month, Math.floor((days * rowsInAWindow) / rows)));
}
