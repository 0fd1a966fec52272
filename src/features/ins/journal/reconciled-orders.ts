/** What `cb ins reconcile` asks for: the period and the account of the list of orders. */
import { orders } from '../../../operations/orders.ts';
import { searchPeriod } from '../../find/find-command.ts';

const { vendor } = orders.list.params;

export const reconciledOrders = {
  ...searchPeriod,
  params: { ...searchPeriod.params, vendor },
};
