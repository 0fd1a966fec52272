/** Converts the output options of a command to the options of the formats. */
import type { RenderOptions } from '../../output/render-options.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { serviceNow } from '../session/clock-difference.ts';
import { hasColor } from '../terminal/color.ts';
import { timeZoneOf } from '../terminal/zone.ts';
import { shapeOfView, type View } from './view.ts';

export function renderOptions(
  cmd: CommandContext,
  { format, fields, expand, spread, header, csv, out }: OutputOptions,
  view: Partial<View> = {},
): RenderOptions {
  const { context, flags, messages } = cmd;
  const { stdout } = context;
  const { resource, layout = 'rows' } = view;
  const shape = resource && shapeOfView({ ...view, resource });
  return {
    ...{ layout, csv, header, shape, fields, expand, spread },
    width: out === undefined && stdout.isTTY ? stdout.columns : undefined,
    color: out === undefined && hasColor(context, stdout, flags),
    now: () => serviceNow(context),
    zone: format === 'table' ? timeZoneOf(cmd) : undefined,
    onColumns: (_, leftOut) => {
      if (leftOut.length === 0 || fields) return;
      const columns = leftOut.length === 1 ? '1 column is' : `${leftOut.length} columns are`;
      messages.tell(`${columns} not shown. Choose columns with --fields, or use -o json.`);
    },
    onLateFields: (paths) => {
      const names = paths.join(', ');
      messages.say(
        `note: The header was written before ${names} appeared. Name these fields in --fields.`,
      );
    },
    onSpreadShort: (rows, most) => {
      const lists = rows === 1 ? '1 row has' : `${rows} rows have`;
      const elements = spread?.size === 1 ? '1 element' : `${spread?.size} elements`;
      const more = `--spread ${spread?.list}:${most}`;
      messages.say(`note: ${lists} more than ${elements}. Use ${more} to keep all of them.`);
    },
  };
}
