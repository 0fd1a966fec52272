/** The period of a search. */
import { orders } from '../../operations/orders.ts';

const { startDate, endDate } = orders.list.params;

/** An operation with the period of the list of orders and nothing else. */
export const searchPeriod = { ...orders.list, params: { startDate, endDate } };
