/** `cb tickets …` */
import type { Command } from 'commander';
import { tickets } from '../../operations/tickets.ts';
import { addEndpoint } from '../endpoint-command.ts';
import { allowDuplicateOption, allowRefundOption } from '../flags.ts';
import { teach } from '../help/lesson.ts';
import { showRefund } from '../order-preview.ts';
import type { Call } from '../shell.ts';
import { ticketImport } from './ticket-import.ts';
import { addTicketRefund } from './ticket-refund.ts';

export function addTickets(group: Command, call: Call): void {
  teach(group, () => ({
    asks: true,
    examples: [
      'cb tickets refund',
      'cb tickets list --status open',
      'cb tickets create DIGITAL1 --type rfnd --reason ticket.type.refund.2 --refund-type FULL --dry-run',
    ],
    topics: ['safety', 'dates', 'output'],
  }));
  const several = { many: 'id' };
  addEndpoint(group, call, tickets.list, { counts: new Map([[tickets.list, tickets.count]]) });
  addEndpoint(group, call, tickets.count);
  addEndpoint(group, call, tickets.get);
  addEndpoint(group, call, tickets.create, {
    flags: [allowDuplicateOption(), allowRefundOption(), ...ticketImport.flags],
    preview: showRefund,
    instead: ticketImport.instead,
  });
  addEndpoint(group, call, tickets.refundAmounts);
  addTicketRefund(group, call);
  addEndpoint(group, call, tickets.close, {
    ...several,
    examples: [
      'cb tickets list --status open --fields ticketid | tail -n +2 | cb tickets close - --dry-run',
    ],
  });
  addEndpoint(group, call, tickets.reopen, several);
  addEndpoint(group, call, tickets.change, several);
  addEndpoint(group, call, tickets.comment, several);
  addEndpoint(group, call, tickets.returned, several);
  addEndpoint(group, call, tickets.schema);
  addEndpoint(group, call, tickets.partialRefundSchema);
}
