/** Running an operation that lists rows: of one account or of several, once or on a schedule. */
import type { Arguments, Operation } from '../../operations/operation.ts';
import { formatNames, isRowFormat } from '../../output/registry.ts';
import type { PartFile } from '../../workflows/export/part-file.ts';
import { chartingFor, requireFigure } from '../display/chart.ts';
import { requireShowable } from '../display/showable.ts';
import { fileOf, placeOf } from '../display/sink.ts';
import type { View } from '../display/view.ts';
import { argumentsFrom, type EndpointOptions } from '../endpoint/endpoint-read.ts';
import { holdsDays, type Typed } from '../flags/flags.ts';
import type { Showing } from '../flags/show-flags.ts';
import { requireFittingSince } from '../flags/since-flags.ts';
import { usage } from '../runtime/failure.ts';
import type { Shell } from '../runtime/shell.ts';
import type { ClientWishes } from '../session/session.ts';
import { accountShells, withAccounts, withProfile } from './accounts.ts';
import type { ListRun } from './list-pages.ts';
import { showAccounts } from './list-run.ts';
import type { Since } from './since.ts';

export async function readRows(
  shell: Shell,
  operation: Operation,
  typed: Typed,
  showing: Showing,
  options: EndpointOptions,
  wishes: ClientWishes,
): Promise<void> {
  requireFitting(shell, showing);
  if (options.chart) requireFigure(showing, options.chart);
  const shells = await accountShells(shell);
  const file = await partFileFor(shell, showing);
  let since: Since | undefined;
  try {
    const source = showing.sinceLast
      ? 'service'
      : holdsDays(operation, typed)
        ? 'local'
        : 'machine';
    const day = file?.held?.day ?? (await shells[0].today(source));
    const serviceDay = file?.held?.serviceDay ?? (await shells[0].serviceDay(source));
    const dated = await withSchedule(operation, typed, showing, serviceDay);
    const { args, notes } = await argumentsFrom(shells[0], operation, dated, day);
    const view = viewOf(operation, options, args, showing, shells.length > 1);
    await requireShowable(showing, view.resource);
    since = await openSchedule(shell, operation, args, showing, serviceDay);
    const count = 'count' in operation.returns ? operation.returns.count : undefined;
    const asked = { shell, operation, showing, view, args, notes, count };
    const run: ListRun = { ...asked, file, since, day, serviceDay };
    await withAccounts(shells, wishes, (accounts) => showAccounts(run, accounts));
  } finally {
    await since?.close();
    await file?.discard();
  }
}

function requireFitting({ context }: Shell, showing: Showing): void {
  requireFittingSince(context, showing);
  if (showing.resume && fileOf(showing.out) === undefined) {
    throw usage('--resume requires --out with a file.');
  }
}

/** A file that can be gone on with, where that is possible. Throws where it is asked for and isn't. */
async function partFileFor(shell: Shell, showing: Showing): Promise<PartFile | undefined> {
  const { format, query, page, totals, resume = false } = showing;
  const place = placeOf(shell.context, showing.out);
  const isWhole = query === undefined && page === undefined && !totals;
  if (place.kind === 'file' && isWhole && isRowFormat(format)) {
    const { openPartFile, partOf } = await import('../../workflows/export/part-file.ts');
    const { lock } = await import('../runtime/lock.ts');
    return openPartFile(place.path, await lock(shell.context, partOf(place.path)), { resume });
  }
  if (!resume) return undefined;
  if (place.kind === 'stream') throw usage(`--resume needs --out with a file, not ${showing.out}`);
  throw usage(
    `--resume is for whole lists as ${formatNames().filter(isRowFormat).join(', ')}, without --query, --page or --totals`,
  );
}

function viewOf(
  { returns }: Operation,
  options: EndpointOptions,
  args: Arguments,
  showing: Showing,
  several: boolean,
): View {
  const resource = 'resource' in returns ? returns.resource : undefined;
  if (!resource) throw new Error('a list has a resource');
  const plain = options.view?.(args) ?? { resource, layout: options.layout ?? 'rows' };
  const isDrawn = options.chart !== undefined && showing.chart !== undefined;
  const view = isDrawn
    ? { ...plain, chart: chartingFor(showing, options.chart, plain, args) }
    : plain;
  return several ? { ...view, resource: withProfile(view.resource), layout: 'rows' } : view;
}

/** What was typed, with the days of this run of a schedule. */
async function withSchedule(
  operation: Operation,
  typed: Typed,
  { sinceLast }: Showing,
  serviceDay: string,
): Promise<Typed> {
  if (sinceLast === undefined) return typed;
  const { typedSince } = await import('./since.ts');
  return typedSince(operation, typed, serviceDay);
}

async function openSchedule(
  { context, messages }: Shell,
  operation: Operation,
  args: Arguments,
  showing: Showing,
  day: string,
): Promise<Since | undefined> {
  if (showing.sinceLast === undefined) return undefined;
  const { openSince } = await import('./since.ts');
  const since = await openSince(context, { operation, args, showing, day });
  if (since.append?.note) messages.say(`note: ${since.append.note}`);
  return since;
}
