/** All sources, in the order in which a sync reads them: what is asked about most comes first. */
import { orderSource } from './order-tables.ts';
import type { Source } from './source.ts';
import { ticketSource } from './ticket-tables.ts';

export const sources: readonly Source[] = [orderSource, ticketSource];
