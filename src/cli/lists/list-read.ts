/** Running an operation that lists rows: of one account or of several, once or on a schedule. */
import type { Arguments, Operation } from '../../operations/operation.ts';
import { formatNames, isRowFormat } from '../../output/registry.ts';
import type { PartFile } from '../../workflows/export/part-file.ts';
import { openPartFile, partOf } from '../../workflows/export/part-file.ts';
import { chartingFor, requireFigure } from '../display/chart.ts';
import { requireShowable } from '../display/showable.ts';
import { fileOf, placeOf } from '../display/sink.ts';
import type { View } from '../display/view.ts';
import { argumentsFrom, type EndpointOptions } from '../endpoint/arguments.ts';
import { holdsDays, type Typed } from '../flags/flags.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import { requireFittingSince } from '../flags/since-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { lock } from '../runtime/lock.ts';
import { serviceDayOf, todayOf } from '../session/service-clock.ts';
import type { ClientWishes } from '../session/session.ts';
import { accountContexts, withAccounts, withProfile } from './accounts.ts';
import type { ListRun } from './list-pages.ts';
import { showAccounts } from './list-run.ts';
import type { Since } from './since.ts';
import { openSince, typedSince } from './since.ts';

export async function readRows(
  cmd: CommandContext,
  operation: Operation,
  typed: Typed,
  output: OutputOptions,
  options: EndpointOptions,
  wishes: ClientWishes,
): Promise<void> {
  requireFitting(cmd, output);
  if (options.chart) requireFigure(output, options.chart);
  const contexts = await accountContexts(cmd);
  const file = await partFileFor(cmd, output);
  let since: Since | undefined;
  try {
    const source = output.sinceLast ? 'service' : holdsDays(operation, typed) ? 'local' : 'machine';
    const day = file?.held?.day ?? (await todayOf(contexts[0], source));
    const serviceDay = file?.held?.serviceDay ?? (await serviceDayOf(contexts[0], source));
    const dated = await withSchedule(operation, typed, output, serviceDay);
    const { args, notes } = await argumentsFrom(contexts[0], operation, dated, day);
    const view = viewOf(operation, options, args, output, contexts.length > 1);
    requireShowable(output, view.resource);
    since = await openSchedule(cmd, operation, args, output, serviceDay);
    const count = 'count' in operation.returns ? operation.returns.count : undefined;
    const asked = { cmd, operation, output, view, args, notes, count };
    const run: ListRun = { ...asked, file, since, day, serviceDay };
    await withAccounts(contexts, wishes, (accounts) => showAccounts(run, accounts));
  } finally {
    await since?.close();
    await file?.discard();
  }
}

function requireFitting({ context }: CommandContext, output: OutputOptions): void {
  requireFittingSince(context, output);
  if (output.resume && fileOf(output.out) === undefined) {
    throw usage('--resume requires --out with a file.');
  }
}

/** A file that can be gone on with, where that is possible. Throws where it is asked for and isn't. */
async function partFileFor(
  cmd: CommandContext,
  output: OutputOptions,
): Promise<PartFile | undefined> {
  const { format, query, page, totals, resume = false } = output;
  const place = placeOf(cmd.context, output.out);
  const isWhole = query === undefined && page === undefined && !totals;
  if (place.kind === 'file' && isWhole && isRowFormat(format)) {
    return openPartFile(place.path, await lock(cmd.context, partOf(place.path)), { resume });
  }
  if (!resume) return undefined;
  if (place.kind === 'stream') throw usage(`--resume needs --out with a file, not ${output.out}`);
  throw usage(
    `--resume is for whole lists as ${formatNames().filter(isRowFormat).join(', ')}, without --query, --page or --totals`,
  );
}

function viewOf(
  { returns }: Operation,
  options: EndpointOptions,
  args: Arguments,
  output: OutputOptions,
  several: boolean,
): View {
  const resource = 'resource' in returns ? returns.resource : undefined;
  if (!resource) throw new Error('a list has a resource');
  const plain = options.view?.(args) ?? { resource, layout: options.layout ?? 'rows' };
  const isDrawn = options.chart !== undefined && output.chart !== undefined;
  const view = isDrawn
    ? { ...plain, chart: chartingFor(output, options.chart, plain, args) }
    : plain;
  return several ? { ...view, resource: withProfile(view.resource), layout: 'rows' } : view;
}

/** What was typed, with the days of this run of a schedule. */
async function withSchedule(
  operation: Operation,
  typed: Typed,
  { sinceLast }: OutputOptions,
  serviceDay: string,
): Promise<Typed> {
  if (sinceLast === undefined) return typed;
  return typedSince(operation, typed, serviceDay);
}

async function openSchedule(
  { context, messages }: CommandContext,
  operation: Operation,
  args: Arguments,
  output: OutputOptions,
  day: string,
): Promise<Since | undefined> {
  if (output.sinceLast === undefined) return undefined;
  const since = await openSince(context, { operation, args, output, day });
  if (since.append?.note) messages.say(`note: ${since.append.note}`);
  return since;
}
