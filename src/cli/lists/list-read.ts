/** Runs an operation that lists the rows of one account or several, once or as an incremental export. */
import { splitParameter } from '../../client/paging/split.ts';
import { serviceZone } from '../../dates/pacific.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { isWrittenByPage } from '../../output/options.ts';
import type { PartFile } from '../../workflows/export/part-file.ts';
import { openPartFile, partOf } from '../../workflows/export/part-file.ts';
import { rangeOf } from '../../workflows/period.ts';
import type { ZonedPeriods } from '../../workflows/zoned-period.ts';
import { chartingFor, requireFigure } from '../display/chart.ts';
import { requireShowable } from '../display/showable.ts';
import { placeOf } from '../display/sink.ts';
import type { View, ViewFacts } from '../display/view.ts';
import { argumentsOfEach, type EndpointOptions } from '../endpoint/arguments.ts';
import { flagName, holdsDays, type Typed } from '../flags/flags.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { lock } from '../runtime/lock.ts';
import { serviceNow } from '../session/clock-difference.ts';
import { serviceDayOf, todayOf } from '../session/service-clock.ts';
import type { ClientWishes } from '../session/session.ts';
import { timeZoneOf } from '../terminal/zone.ts';
import { accountContexts, ofAccounts, withAccounts } from './accounts.ts';
import type { IncrementalExport } from './incremental-export.ts';
import { showAccounts } from './list-run.ts';

export async function readRows(
  cmd: CommandContext,
  operation: Operation,
  typed: Typed,
  output: OutputOptions,
  options: EndpointOptions,
  wishes: ClientWishes,
): Promise<void> {
  const incremental =
    output.sinceLast === undefined ? undefined : await import('./incremental-export.ts');
  incremental?.requireName(output.sinceLast ?? '');
  if (options.chart) requireFigure(output, options.chart);
  const contexts = await accountContexts(cmd);
  const [first] = contexts;
  const file = await partFileFor(cmd, output);
  let since: IncrementalExport | undefined;
  try {
    const source = incremental ? 'service' : holdsDays(operation, typed) ? 'local' : 'machine';
    const day = file?.held?.day ?? (await todayOf(first, source));
    const serviceDay = file?.held?.serviceDay ?? (await serviceDayOf(first, source));
    const given = incremental?.withIncrementalDays(operation, typed, day) ?? typed;
    const { many } = options;
    const { each: asked, notes } = await argumentsOfEach(first, operation, given, many, day);
    const zone = timeZoneOf(cmd).name;
    const { each, ranges } = await zonedArguments(operation, asked, zone);
    const [args] = each;
    requireOneResponse(operation, args, output, ranges);
    const hasAccounts = contexts.length > 1;
    const facts = { typed, now: () => serviceNow(cmd.context), zone };
    const view = viewOf(operation, options, args, output, hasAccounts, facts);
    await requireShowable(output, view.resource);
    // An incremental export has no end, and it keeps its beginning.
    const main = ranges.find(({ names }) => names.first === rangeOf(operation)?.first);
    const from = { today: serviceDay, start: main?.start };
    since = await incremental?.openIncrementalExport(cmd, operation, args, output, from);
    const bounds = since ? ranges.filter((range) => range !== main) : ranges;
    const shown = since?.append?.output ?? output;
    const list = { cmd, operation, output: shown, view, each, many, hasAccounts, notes };
    const run = { ...list, zone, bounds, file, since, day, serviceDay };
    await withAccounts(contexts, wishes, (accounts) => showAccounts(run, accounts));
  } finally {
    await since?.close();
    await file?.discard();
  }
}

interface ZonedArguments extends Pick<ZonedPeriods, 'ranges'> {
  readonly each: readonly [Arguments, ...Arguments[]];
}

/** Returns the arguments of each request with Pacific days, and the parts of these days that are in the period. */
export async function zonedArguments(
  operation: Operation,
  each: readonly [Arguments, ...Arguments[]],
  zone: string,
): Promise<ZonedArguments> {
  if (zone === serviceZone) return { each, ranges: [] };
  const { zonedPeriods } = await import('../../workflows/zoned-period.ts');
  const [first, ...others] = each;
  const { args, ranges } = zonedPeriods(operation, first, zone);
  const rest = others.map((one) => zonedPeriods(operation, one, zone).args);
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

/** Opens the file of a list that can be resumed; undefined if the list can't. */
async function partFileFor(
  cmd: CommandContext,
  output: OutputOptions,
): Promise<PartFile | undefined> {
  const place = placeOf(cmd.context, output.out);
  const isWhole = isWrittenByPage(output) && output.page === undefined;
  if (place.kind !== 'file' || !isWhole) return undefined;
  const { resume = false } = output;
  return openPartFile(place.path, await lock(cmd.context, partOf(place.path)), { resume });
}

function viewOf(
  { returns }: Operation,
  { view, layout = 'rows', chart }: EndpointOptions,
  args: Arguments,
  output: OutputOptions,
  hasAccounts: boolean,
  facts: Omit<ViewFacts, 'resource'>,
): View {
  const resource = 'resource' in returns ? returns.resource : undefined;
  if (!resource) throw new Error('a list has a resource');
  const plain = view?.(args, { ...facts, resource }) ?? { resource, layout };
  const isDrawn = chart && output.chart !== undefined;
  const drawn = isDrawn ? { ...plain, chart: chartingFor(output, chart, plain, args) } : plain;
  return hasAccounts ? ofAccounts(drawn) : drawn;
}
