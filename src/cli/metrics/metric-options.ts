/** What `cb metrics` asks for besides a name: a period and an account. */
import { text } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import type { Typed } from '../flags/flags.ts';

export interface MetricFlags extends Typed {
  readonly account?: string;
  readonly database?: string;
  readonly allowIncomplete?: boolean;
}

const { startDate, endDate } = orders.list.params;

/** An operation with the period of the list of orders, so that periods are read as in every list. */
export const metricFilters = {
  ...orders.list,
  params: {
    startDate,
    endDate,
    account: text('Only this account of the copy', { names: 'account' }),
  },
};
