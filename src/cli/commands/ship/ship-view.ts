/** How orders of physical goods are shown to people: what to send, and where to. */
import type { Arguments } from '../../../operations/operation.ts';
import { shipping3 } from '../../../operations/shipping.ts';
import type { DerivedField, Row, TableColumns, Value } from '../../../output/rows/rows.ts';
import { firstAndCount, itemsOf, joined } from '../../display/texts.ts';
import type { View, ViewFacts } from '../../display/view.ts';

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
    from: ({ lineItemShipData }) => piecesOf(itemsOf(lineItemShipData)),
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

function piecesOf(items: readonly Row[]): number | undefined {
  const counts = items.map(({ quantity }) => Number(String(quantity ?? 1)));
  return counts.length === 0 || counts.some(Number.isNaN)
    ? undefined
    : counts.reduce((sum, count) => sum + count, 0);
}

function holdOf(item: Row): Value {
  if (item.hasBeenChargebacked === true) return 'charged back';
  if (item.hasBeenRefunded === true) return 'refunded';
  return item.isRefundPending === true ? 'refund pending' : undefined;
}

/** The rows of each generation of the service have their own fields. */
export function shipView(_: Arguments, facts: Partial<ViewFacts> = {}): View {
  const { resource = shipping3.list.returns.resource } = facts;
  const isFirst = Object.hasOwn(resource.fields, 'addr1');
  const columns = isFirst ? columnsFor(['item'], oldAddress) : columnsFor(newItem, newAddress);
  return { resource, derived, columns: () => columns };
}

interface AddressFields {
  readonly lines: readonly string[];
  readonly postal: string;
  readonly time: string;
}

const oldAddress: AddressFields = { lines: ['addr1', 'addr2'], postal: 'zip', time: 'orderDate' };

const newItem = ['item', 'quantity'];
const newAddress: AddressFields = {
  lines: ['address1', 'address2'],
  postal: 'postalCode',
  time: 'transactionTime',
};

function columnsFor(what: readonly string[], { lines, postal, time }: AddressFields): TableColumns {
  const end = [time, 'hold', 'email'];
  return {
    shown: [...what, 'customer', ...lines, 'city', 'state', postal, 'country', 'receipt', ...end],
    needed: [...what, 'receipt', 'customer', 'city', 'country'],
    wanted: ['hold', ...lines.slice(0, 1), postal, 'state'],
    more: [time, ...lines.slice(1), 'email'],
    headings: { quantity: 'Qty' },
  };
}
