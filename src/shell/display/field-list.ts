/** `--fields help`: the columns that the rows of a command can have, without a request. */
import { resource, text } from '../../operations/resource.ts';
import { chosenColumns, knownPaths } from '../../output/rows/columns.ts';
import type { Shape } from '../../output/rows/rows.ts';
import { onePage } from '../../output/stream.ts';
import type { CommandContext } from '../context.ts';
import type { OutputOptions } from '../options/show-flags.ts';
import { showPages } from './show.ts';

const fieldResource = resource('field', ['field', 'heading', 'type'], {
  ...{ field: text, heading: text, type: text },
});

export async function showFields(
  cmd: CommandContext,
  output: OutputOptions,
  shape: Shape,
): Promise<void> {
  const rows = chosenColumns(knownPaths(shape), shape, []).map(({ name, heading, kind }) => {
    return { field: name, heading, type: kind };
  });
  await showPages(cmd, output, { resource: fieldResource }, onePage(rows));
}
