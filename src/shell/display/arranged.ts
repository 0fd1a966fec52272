/** The options of a format that follow from `--layout`, `--dates` and from the sheets of a workbook. */
import { serviceZone } from '../../dates/day.ts';
import { accountCurrency, withoutOrder } from '../../features/earnings/transaction.ts';
import {
  accountingLayout,
  allOrderFields,
  hasItems,
  itemsLayout,
  ordersLayout,
} from '../../features/lists/order-layouts.ts';
import type {
  Arrangement,
  RenderOptions,
  TimeZone,
  TotalsOptions,
} from '../../output/render-options.ts';
import type { Row, Shape } from '../../output/rows/rows.ts';
import type { CommandContext } from '../context.ts';
import type { OutputOptions } from '../options/show-flags.ts';
import { timeZoneOf } from '../terminal/zone.ts';
import { recentOnes, tallyOf } from './summary.ts';
import type { View } from './view.ts';

/** Amounts of the account; all others are in the currency of their row. */
const ofAccount = [
  ...['accountAmount', 'youEarn', 'sale', 'refund', 'chargeback'],
  ...['earned', 'refunded', 'charged_back', 'net'],
];

export const currencies = {
  by: 'currency',
  fixed: Object.fromEntries(ofAccount.map((name) => [name, accountCurrency])),
};

export function arranged(
  cmd: CommandContext,
  output: OutputOptions,
  view: Partial<View>,
  shape: Shape | undefined,
): Partial<RenderOptions> {
  const { dates, format } = output;
  const { resource } = view;
  const zone = fileZone(cmd);
  if (format !== 'xlsx') {
    const arrangement = shape && arrangementOf(output, shape, zone.name);
    return { ...(dates && { dates, zone }), ...(arrangement && { arrangement }) };
  }
  const sheets = shape && sheetsOf(output, shape, zone.name);
  const { noun, currency = currencies.by } = resource?.counted ?? {};
  return {
    ...{ zone, currencies: { ...currencies, by: currency } },
    totals: output.expand === undefined && totalsOf(view),
    ...(sheets && { sheets }),
    ...(noun && { sheet: `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s` }),
    onCutTexts: (texts) => {
      const what = texts === 1 ? '1 text is' : `${texts} texts are`;
      cmd.messages.say(
        `note: ${what} longer than the 32,767 characters that a cell holds, and cut at the end.`,
      );
    },
  };
}

/** Of a sum of amounts of orders in several currencies (docs/figures.md). */
export const disputedNote =
  'Except what you earn, amounts of orders in another currency than USD may be in USD: which it is, is disputed.';

/** The sums leave out what the last line of a table leaves out. */
function totalsOf({
  unsummed = [],
  subtracted = [],
  sums = [],
  isRepeated: isListed,
  leftOut,
}: Partial<View>): TotalsOptions {
  const skipped = tallyOf(unsummed);
  const negative = tallyOf(subtracted);
  const ofOrder = sums.find(({ identity }) => identity);
  const isRepeated = recentOnes();
  let isDisputed = false;
  const isSummed = (row: Row) => {
    isDisputed ||= sums.some(({ undisputed = '', currency }) =>
      undisputed ? !['', undisputed].includes(currency(row)) : false,
    );
    negative.has(row);
    return !skipped.has(row);
  };
  return {
    summed: (page) =>
      page
        .filter((row) => !isListed?.(row))
        .map((row) => {
          const identity = ofOrder?.identity?.(row);
          return identity !== undefined && isRepeated(identity) ? withoutOrder(row) : row;
        })
        .filter(isSummed),
    notes: () => [
      ...[...skipped.texts('without'), ...negative.texts('less')].map(
        (text) => `The totals are ${text}.`,
      ),
      ...(isDisputed ? [disputedNote] : []),
      ...(leftOut?.sentences() ?? []),
    ],
  };
}

/** The zone of `--tz`, otherwise Pacific time; a file always names it. */
export function fileZone(cmd: CommandContext): TimeZone {
  const { name } = timeZoneOf(cmd);
  return { name, label: name === serviceZone ? 'Pacific' : name };
}

/** Without --layout, --fields can also name the columns of the layout `orders`, which a file has by default. */
export function arrangementOf(
  { layout, format, fields, expand, spread, query }: OutputOptions,
  shape: Shape,
  zone: string,
): Arrangement | undefined {
  if (layout === 'items') return itemsLayout(shape);
  if (layout === 'accounting') return accountingLayout(shape, zone);
  if (layout !== undefined) return layout === 'orders' ? ordersLayout(shape) : undefined;
  const isPlain = (expand ?? spread ?? query) === undefined;
  const mayName = ['csv', 'xlsx'].includes(format) && fields !== undefined && isPlain;
  return mayName && hasItems(shape) ? allOrderFields(shape) : undefined;
}

/** Orders have a second sheet with their items. */
function sheetsOf(output: OutputOptions, shape: Shape, zone: string) {
  const { layout, fields, expand, query } = output;
  const isWhole = (fields ?? expand ?? query) === undefined;
  if (hasItems(shape) && isWhole && (layout === undefined || layout === 'orders')) {
    return [ordersLayout(shape), itemsLayout(shape, true)];
  }
  const only = arrangementOf(output, shape, zone);
  return only && [only];
}
