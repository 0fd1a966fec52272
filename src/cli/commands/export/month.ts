/** `cb export month`: the workbook of a month for a bookkeeper. */
import { orders } from '../../../operations/orders.ts';
import { outOption } from '../../flags/flags.ts';
import { connectionOptions } from '../../help/help-text.ts';
import { command, type GroupSpec } from '../../runtime/define.ts';

const month = command({
  words: 'export month',
  summary: 'Write a month to a workbook, compared with quickstats',
  args: { '<month...>': 'Month, such as 2026-10, last-month or October 2026' },
  options: { out: outOption('File to write, such as 2026-10.xlsx; - is stdout') },
  help: {
    notes: [
      'The workbook has the sheets Summary, Transactions, Line items, Refunds and Chargebacks. What you earn is in US dollars, the currency of your accounts. Amounts of different currencies are never added.',
      'If what you earn differs from quickstats of the same days, cb says by how much and ends with exit code 8. A month that is not over is marked.',
    ],
    asks: true,
    examples: [
      'cb export month last-month --out month.xlsx',
      'cb export month January --out january.xlsx',
    ],
    roles: orders.list.roles,
    obeys: connectionOptions,
    ownFormat: true,
    topics: ['dates', 'credentials', 'exit-codes'],
  },
  async run(cmd, flags) {
    const { exportMonth } = await import('./month-run.ts');
    await exportMonth(cmd, flags, flags.month.join(' '));
  },
});

export const exportGroup: GroupSpec = {
  words: 'export',
  help: {
    asks: true,
    examples: [
      'cb export month last-month --out month.xlsx',
      'cb orders list --period last-month --out orders.xlsx',
      'cb orders list --period last-month --layout accounting --out books.csv',
    ],
    topics: ['dates', 'output'],
  },
  commands: [month],
};
