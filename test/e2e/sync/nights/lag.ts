/** What may be older in a copy than at the service. */
import { addDays } from '../../../../src/dates/day.ts';
import type { Difference } from './compare.ts';

const lookBack = 60;

/**
 * What ClickBank changes in place without any new row. Beyond the look-back, it is as it was when the row was last
 * read; docs/copy-tables.md says so. Everything else in old rows is compared like the rest.
 */
const subscription = ['status', 'nextPaymentDate', 'processedPayments', 'futurePayments'];
const items = [...subscription, 'rebillAmount'].map((name) => `lineItemData.${name}`);
const address = ['firstName', 'lastName', 'fullName', 'country', 'state', 'postalCode'];

const lagging: Readonly<Record<string, readonly string[]>> = {
  orders: ['customerRefundableState', ...address, ...items],
  order_items: items,
  shipments: [...address, 'address1', 'address2', 'city'],
};

/** Leaves out what may lag, and rows before the days that are compared. */
export function relevant(
  differences: readonly Difference[],
  { first, last }: { readonly first: string; readonly last: string },
): readonly Difference[] {
  const edge = addDays(last, -lookBack);
  return differences.filter(({ table, field, day, service }) => {
    if (day === undefined || day >= edge) return true;
    // Rows of earlier days come with the changes of tickets; notices of earlier days stay as they are.
    if (service === undefined && (day < first || table === 'ship_notices')) return false;
    return !lagging[table]?.includes(field);
  });
}
