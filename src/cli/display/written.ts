/** Reports what `--out` and `--append` have written. */
import { statSync } from 'node:fs';
import { groupedCount } from '../../decimals/decimals.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { placeOf } from './sink.ts';

/** Prints a line such as `Wrote 312 rows (48 KB) to orders.csv.` to stderr if it is a terminal. */
export function tellWritten(
  { context, messages }: CommandContext,
  { out, append }: Pick<OutputOptions, 'out' | 'append'>,
  rows?: number,
): void {
  const file = append ?? out;
  if (!messages.watched || file === undefined) return;
  const place = placeOf(context, file, append === undefined ? '--out' : '--append');
  if (place.kind !== 'file') return;
  const size = sizeText(statSync(place.path).size);
  const what = rows === undefined ? size : `${groupedCount(rows, 'row')} (${size})`;
  if (append === undefined) messages.tell(`Wrote ${what} to ${file}.`);
  else messages.tell(`Added ${groupedCount(rows ?? 0, 'row')} to ${file} (now ${size}).`);
}

const units = ['bytes', 'KB', 'MB', 'GB'];

/** As in `312 bytes`, `4.8 KB` or `48 KB`. */
function sizeText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(3, Math.floor(Math.log2(bytes) / 10));
  const size = bytes / 1024 ** power;
  return `${power > 0 && size < 10 ? size.toFixed(1) : Math.round(size)} ${units[power]}`;
}
