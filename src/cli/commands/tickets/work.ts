/** `cb tickets work`: the queue of tickets that wait for somebody. */
import { orders } from '../../../operations/orders.ts';
import { tickets } from '../../../operations/tickets.ts';
import { verifyWaitOption } from '../../flags/flags.ts';
import { requestOptions } from '../../help/help-text.ts';
import { command } from '../../runtime/define.ts';

export const work = command({
  words: 'tickets work',
  summary: 'Answer open tickets one after the other',
  parameters: [tickets.list],
  options: {
    log: ['--log <file>', 'Append each action to a CSV file'],
    dryRun: ['--dry-run', 'Ask for everything, but do not send anything'],
    verifyWait: verifyWaitOption(),
  },
  shows: {},
  help: {
    notes: [
      'Shows open and reopened tickets one after the other, the soonest to expire first. One key starts an action, and nothing is sent before you confirm it. At the end, shows what was done.',
    ],
    asks: true,
    examples: [
      'cb tickets work',
      'cb tickets work --type rfnd --log today.csv',
      'cb tickets work --dry-run',
    ],
    roles: [...orders.list.roles, ...tickets.create.roles],
    obeys: requestOptions,
    effect: 'destroys',
    topics: ['safety', 'credentials'],
  },
  async run(cmd, flags, output) {
    const { workOnTickets } = await import('../../queue/work.ts');
    await workOnTickets(cmd, output, flags);
  },
});
