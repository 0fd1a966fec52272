/** Reads `--layout` and `--dates`. */
import { usage } from '../runtime/failure.ts';
import type { ShowFlags } from './choose-format.ts';
import { kebab } from './flags.ts';
import { nearest } from './nearest.ts';

const layoutNames = ['orders', 'items', 'accounting', 'raw'] as const;

type LayoutName = (typeof layoutNames)[number];

/**
 * The layout of a file of orders; undefined for the fields as ClickBank sends them. A csv file has the layout `orders`
 * unless options choose columns.
 */
export function readLayout(format: string, flags: ShowFlags): LayoutName | undefined {
  const typed = flags.layout?.trim().toLowerCase();
  const other = (['expand', 'spread', 'query'] as const).find((name) => flags[name] !== undefined);
  if (typed === undefined) {
    const isPlain = other === undefined && flags.fields === undefined;
    return isPlain && format === 'csv' ? 'orders' : undefined;
  }
  const layout = layoutNames.find((name) => name === typed);
  if (layout === undefined) {
    const near = nearest(typed, layoutNames);
    throw usage(`Invalid --layout '${flags.layout}'.`, {
      hint: near ? `Did you mean ${near}?` : `Use one of ${layoutNames.join(', ')}.`,
    });
  }
  // A workbook of orders has sheets of its own unless the fields are requested as sent.
  if (layout === 'raw') return format === 'xlsx' ? layout : undefined;
  if (other === undefined) return layout;
  throw usage(`--layout ${layout} and --${kebab(other)} both shape the rows.`, {
    hint: `Use one or the other. With --${kebab(other)}, use --layout raw.`,
  });
}

export function readDates({ dates }: ShowFlags): 'spreadsheet' | 'both' | undefined {
  const typed = dates?.trim().toLowerCase();
  if (typed === undefined || typed === 'iso') return undefined;
  if (typed === 'spreadsheet' || typed === 'both') return typed;
  throw usage(`Invalid --dates '${dates}'.`, { hint: 'Use one of iso, spreadsheet, both.' });
}
