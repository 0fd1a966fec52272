/** Running an operation that lists rows: of one account or of several, once or as an incremental export. */
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
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { lock } from '../runtime/lock.ts';
import { serviceDayOf, todayOf } from '../session/service-clock.ts';
import type { ClientWishes } from '../session/session.ts';
import { accountContexts, withAccounts, withProfile } from './accounts.ts';
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
  incremental?.requireCombinable(cmd.context, output);
  if (!incremental && output.append !== undefined) {
    throw usage('--append requires --since-last with a name.');
  }
  if (options.chart) requireFigure(output, options.chart);
  const contexts = await accountContexts(cmd);
  const [first] = contexts;
  const file = await partFileFor(cmd, output);
  let since: IncrementalExport | undefined;
  try {
    const source = incremental ? 'service' : holdsDays(operation, typed) ? 'local' : 'machine';
    const day = file?.held?.day ?? (await todayOf(first, source));
    const serviceDay = file?.held?.serviceDay ?? (await serviceDayOf(first, source));
    const given = incremental?.withIncrementalDays(operation, typed, serviceDay) ?? typed;
    const { args, notes } = await argumentsFrom(first, operation, given, day);
    const view = viewOf(operation, options, args, output, contexts.length > 1);
    await requireShowable(output, view.resource);
    since = await incremental?.openIncrementalExport(cmd, operation, args, output, serviceDay);
    const run = { cmd, operation, output, view, args, notes, file, since, day, serviceDay };
    await withAccounts(contexts, wishes, (accounts) => showAccounts(run, accounts));
  } finally {
    await since?.close();
    await file?.discard();
  }
}

/** The file of a list that can be resumed; undefined if it can't. Throws if --resume asks for what can't. */
async function partFileFor(
  cmd: CommandContext,
  output: OutputOptions,
): Promise<PartFile | undefined> {
  const { format, sort, query, page, totals, resume = false } = output;
  if (resume && fileOf(output.out) === undefined) {
    throw usage('--resume requires --out with a file.');
  }
  const place = placeOf(cmd.context, output.out);
  const isWhole = (sort ?? query ?? page) === undefined && !totals;
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
  { view, layout = 'rows', chart }: EndpointOptions,
  args: Arguments,
  output: OutputOptions,
  hasAccounts: boolean,
): View {
  const resource = 'resource' in returns ? returns.resource : undefined;
  if (!resource) throw new Error('a list has a resource');
  const plain = view?.(args) ?? { resource, layout };
  const isDrawn = chart && output.chart !== undefined;
  const drawn = isDrawn ? { ...plain, chart: chartingFor(output, chart, plain, args) } : plain;
  return hasAccounts ? { ...drawn, resource: withProfile(drawn.resource), layout: 'rows' } : drawn;
}
