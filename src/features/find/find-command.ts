/** `cb find`: one search over orders and tickets. */
import { orders } from '../../operations/orders.ts';
import { command } from '../../shell/define.ts';
import { requestOptions } from '../../shell/help/help-text.ts';
import { searchPeriod } from './show-found.ts';

export const find = command({
  words: 'find',
  args: { '<words...>': 'An email address, a name, a receipt or a ticket ID' },
  parameters: [searchPeriod],
  shows: {},
  help: {
    notes: [
      'Upper and lower case are the same. A whole email address, the part before its @, or a whole name has to match; % stands for any text. Receipts and ticket IDs are found whatever their date. Without a period, names and email addresses are searched in the last 90 days.',
    ],
    asks: true,
    examples: [
      'cb find ada sample',
      'cb find ADA.SAMPLE@example.com',
      'cb find monthly1',
      "cb find 'samp%' --period last-12-months -o csv",
    ],
    roles: orders.list.roles,
    remarks: [
      'ClickBank has no search for tickets by customer, so the tickets of the period are read: one request for each 7 days.',
    ],
    obeys: requestOptions,
    topics: ['dates', 'output', 'credentials'],
  },
  async run(cmd, flags, output) {
    const { find } = await import('./show-found.ts');
    await find(cmd, output, flags, flags.words);
  },
});
