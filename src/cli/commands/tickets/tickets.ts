/** `cb tickets …` */
import { tickets } from '../../../operations/tickets.ts';
import { endpointCommands } from '../../endpoint/endpoint-command.ts';
import { allowDuplicateOption, allowRefundOption, replyOption } from '../../flags/flags.ts';
import type { GroupSpec } from '../../runtime/define.ts';
import { ticketImport } from './import.ts';
import { refund } from './refund.ts';
import { ticketView } from './ticket-view.ts';
import { work } from './work.ts';

const several = { many: 'id' };
const refunding = { ...several, flags: [allowRefundOption()], effect: 'destroys' } as const;

export const ticketsGroup: GroupSpec = {
  words: 'tickets',
  help: {
    asks: true,
    examples: [
      'cb tickets work',
      'cb tickets refund',
      'cb tickets list --status open',
      'cb tickets create MONTHLY1 --type cncl --reason ticket.type.cancel.5 --dry-run',
    ],
    topics: ['safety', 'dates', 'output'],
  },
  commands: endpointCommands(Object.values(tickets), {
    special: {
      'tickets list': { view: ticketView, local: true },
      'tickets create': {
        effect: 'destroys',
        flags: [allowDuplicateOption(), allowRefundOption(), ...ticketImport.flags],
        instead: ticketImport.instead,
      },
      'tickets refund-amounts': { next: refund },
      'tickets count': { next: work },
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
          const { fillComment } = await import('../../queue/replies.ts');
          return fillComment(cmd, typed);
        },
      },
      'tickets returned': { ...several, effect: 'destroys' },
    },
  }),
};
