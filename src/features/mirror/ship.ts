/** `cb ship …` and `cb ship notice …`: three generations of the service, selected by --generation. */

import type { Arguments } from '../../operations/operation.ts';
import {
  notices,
  notices2,
  notices3,
  shipping,
  shipping2,
  shipping3,
} from '../../operations/shipping.ts';
import type { DerivedField, Row, TableColumns, Value } from '../../output/rows/rows.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import { firstAndCount, itemsOf, joined } from '../../shell/display/texts.ts';
import type { View, ViewFacts } from '../../shell/display/view.ts';
import { requestOptions } from '../../shell/help/help-text.ts';
import { allowDuplicateOption, verifyWaitOption } from '../../shell/options/flags.ts';
import { importFile, importOptions } from '../import/import-file.ts';
import { endpointCommands } from './endpoint-command.ts';

const { receipt: _, ...params } = notices3.add.params;

const shipImport = command({
  words: 'ship notice import',
  summary: 'Create ship notices from a CSV file',
  args: { '<file>': 'CSV file with a header line; - reads stdin and requires --journal' },
  parameters: [{ ...notices3.add, params }],
  options: {
    ...importOptions,
    allowDuplicate: allowDuplicateOption,
    verifyWait: verifyWaitOption,
    dryRun: ['--dry-run', 'Check and print the requests without sending them'],
    yes: ['-y, --yes', 'Send the requests without asking for confirmation'],
  },
  shows: {},
  help: {
    notes: [
      'Recognized columns: receipt, date, carrier, tracking, comments, sku (or item) and fillOrder. Options fill in missing values. You can stop the import at any time and run it again: a journal beside the file records which rows are done.',
    ],
    asks: true,
    examples: [
      'cb ship notice import shipped.csv --carrier USPS --date today --dry-run',
      'cb ship notice import export.csv --preset shipstation --carrier USPS --fill-order --yes',
    ],
    roles: notices3.add.roles,
    obeys: requestOptions,
    effect: 'writes',
    topics: ['safety', 'credentials', 'exit-codes'],
  },
  run: (cmd, flags) => importFile(cmd, notices3.add, flags.file, flags),
});

const derived: Readonly<Record<string, DerivedField>> = {
  item: {
    kind: 'text',
    least: 16,
    replaces: 'lineItemShipData.productTitle',
    from: ({ lineItemShipData, displayName, productNo }) =>
      firstAndCount(itemsOf(lineItemShipData).map((one) => one.productTitle ?? one.itemNo)) ??
      displayName ??
      productNo,
  },
  /** The number of pieces, of all items together. */
  quantity: {
    kind: 'integer',
    replaces: 'lineItemShipData.quantity',
    from({ lineItemShipData }) {
      const counts = itemsOf(lineItemShipData).map(({ quantity }) => Number(String(quantity ?? 1)));
      if (counts.length === 0 || counts.some(Number.isNaN)) return undefined;
      return counts.reduce((sum, count) => sum + count, 0);
    },
  },
  customer: {
    kind: 'text',
    from: ({ fullName, firstname, lastname }) => fullName ?? joined([firstname, lastname]),
  },
  /** A reason not to send it, by the first item that has one. */
  hold: {
    kind: 'text',
    from: (row) => [row, ...itemsOf(row.lineItemShipData)].map(holdOf).find((reason) => reason),
  },
};

function holdOf(item: Row): Value {
  if (item.hasBeenChargebacked === true) return 'charged back';
  if (item.hasBeenRefunded === true) return 'refunded';
  return item.isRefundPending === true ? 'refund pending' : undefined;
}

/** The rows of each generation of the service have their own fields. */
function shipView(_: Arguments, facts: Partial<ViewFacts> = {}): View {
  const { resource = shipping3.list.returns.resource } = facts;
  const isFirst = Object.hasOwn(resource.fields, 'addr1');
  const what = isFirst ? ['item'] : ['item', 'quantity'];
  const lines = isFirst ? ['addr1', 'addr2'] : ['address1', 'address2'];
  const [postal, time] = isFirst ? ['zip', 'orderDate'] : ['postalCode', 'transactionTime'];
  const end = [time, 'hold', 'email'];
  const columns: TableColumns = {
    shown: [...what, 'customer', ...lines, 'city', 'state', postal, 'country', 'receipt', ...end],
    needed: [...what, 'receipt', 'customer', 'city', 'country'],
    wanted: ['hold', ...lines.slice(0, 1), postal, 'state'],
    more: [time, ...lines.slice(1), 'email'],
    headings: { quantity: 'Qty' },
  };
  return { resource, derived, columns: () => columns };
}

const services = [shipping, shipping2, shipping3, notices, notices2, notices3];

export const ship: GroupSpec = {
  words: 'ship',
  help: {
    asks: true,
    examples: [
      'cb ship list --status notshipped',
      'cb ship notice add PARCEL01 --carrier USPS --date today --dry-run',
    ],
    topics: ['safety', 'output'],
  },
  commands: endpointCommands(services.flatMap(Object.values), {
    special: {
      'ship list': {
        view: shipView,
        examples: ['cb ship list --period last-30-days --expand lineItemShipData -o csv'],
      },
      'ship notice add': { flags: [allowDuplicateOption] },
      'ship notice schema': { next: shipImport },
    },
    groups: { notice: 'Create and list ship notices' },
    variants: 'API generation',
  }),
};
