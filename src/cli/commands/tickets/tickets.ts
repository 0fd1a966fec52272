/** `cb tickets …` */
import type { Command } from 'commander';
import { tickets } from '../../../operations/tickets.ts';
import { addEndpoints } from '../../endpoint/endpoint-command.ts';
import { allowDuplicateOption, allowRefundOption, replyOption } from '../../flags/flags.ts';
import { addHelp } from '../../help/help-text.ts';
import type { Call } from '../../runtime/command-context.ts';
import { ticketImport } from './import.ts';
import { addTicketRefund } from './refund.ts';
import { ticketView } from './ticket-view.ts';
import { addTicketWork } from './work.ts';

export function addTickets(group: Command, call: Call): void {
  addHelp(group, () => ({
    asks: true,
    examples: [
      'cb tickets work',
      'cb tickets refund',
      'cb tickets list --status open',
      'cb tickets create MONTHLY1 --type cncl --reason ticket.type.cancel.5 --dry-run',
    ],
    topics: ['safety', 'dates', 'output'],
  }));
  const several = { many: 'id' };
  const refunding = { ...several, flags: [allowRefundOption()], effect: 'destroys' } as const;
  addEndpoints(group, call, Object.values(tickets), {
    special: {
      'tickets list': { view: ticketView, local: true },
      'tickets create': {
        effect: 'destroys',
        flags: [allowDuplicateOption(), allowRefundOption(), ...ticketImport.flags],
        instead: ticketImport.instead,
      },
      'tickets refund-amounts': { addNext: addTicketRefund },
      'tickets count': { addNext: addTicketWork },
      'tickets close': {
        ...several,
        examples: [
          'cb tickets list --status open --fields ticketid | tail -n +2 | cb tickets close - --dry-run',
        ],
      },
      'tickets reopen': refunding,
      'tickets change': refunding,
      'tickets comment': {
        ...several,
        flags: [replyOption()],
        // Loaded only if a saved reply is sent.
        fill: async (cmd, typed) => {
          if (typed.reply === undefined) return typed;
          const { fillComment } = await import('../../queue/reply-commands.ts');
          return fillComment(cmd, typed);
        },
      },
      'tickets returned': { ...several, effect: 'destroys' },
    },
  });
}
