/** What --since-last can be combined with; small, since every list loads it. */
import { isRowFormat } from '../../output/registry.ts';
import { placeOf } from '../display/sink.ts';
import type { Context } from '../runtime/context.ts';
import { usage } from '../runtime/failure.ts';
import type { OutputOptions } from './show-flags.ts';

/** Refuses flags that --since-last can't be combined with, before anything is sent. */
export function requireFittingSince(context: Context, output: OutputOptions): void {
  const { sinceLast, append, out, limit, page, format, resume } = output;
  if (sinceLast === undefined) {
    if (append !== undefined) throw usage('--append requires --since-last with a name.');
    return;
  }
  const cut = limit !== undefined ? '--limit' : page !== undefined ? '--page' : undefined;
  if (cut) {
    throw usage(`${cut} can't be combined with --since-last: it would skip rows for good.`);
  }
  if (format === 'xml' || format === 'raw') {
    throw usage('--since-last leaves out rows, so it needs -o table, json, ndjson, csv or tsv.');
  }
  if (append === undefined) {
    requireReader(context, out);
    return;
  }
  const other = out !== undefined ? '--out' : resume ? '--resume' : undefined;
  if (other) throw usage(`${other} and --append can't be combined. Use one or the other.`);
  requireLines(output);
}

/** Rows written to a closed stdout would be recorded as exported although they are lost. */
function requireReader(context: Context, out: string | undefined): void {
  if (placeOf(context, out).kind !== 'screen' || !context.stdout.isDiscarded) return;
  throw usage('stdout is closed or goes to /dev/null, so the rows would be lost.', {
    hint: 'Nothing was sent. Use --append FILE, or --out /dev/null to skip all rows up to now.',
  });
}

function requireLines({ format, query, totals }: OutputOptions): void {
  const isLines = isRowFormat(format) && format !== 'json' && query === undefined && !totals;
  if (!isLines) throw usage('--append is for csv, tsv and ndjson, without --query or --totals.');
}
