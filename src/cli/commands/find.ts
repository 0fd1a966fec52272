/** `cb find`: one search over orders and tickets. */
import type { Command } from 'commander';
import { orders } from '../../operations/orders.ts';
import { searchPeriod } from '../find/search-period.ts';
import { addParameters, type Typed } from '../flags/flags.ts';
import { addPeriodSynonyms } from '../flags/period-synonyms.ts';
import { addShowFlags, readShowFlags, type ShowFlags } from '../flags/show-flags.ts';
import { addHelp, type HelpText, requestOptions } from '../help/help-text.ts';
import { addLocalFlags, answering, type LocalFlags } from '../local/local-options.ts';
import { addAction } from '../runtime/command.ts';
import type { Call, CommonFlags } from '../runtime/command-context.ts';

type FindFlags = CommonFlags & ShowFlags & LocalFlags & Typed;

const helpText: HelpText = {
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
};

export function buildFind(command: Command, call: Call): void {
  command.argument('<words...>', 'An email address, a name, a receipt or a ticket ID');
  addParameters(command, searchPeriod);
  addPeriodSynonyms(command, searchPeriod);
  addShowFlags(command);
  addLocalFlags(command);
  addHelp(command, () => helpText);
  addAction(command, call, async (cmd, flags: FindFlags, words) => {
    const { find } = await import('../find/find.ts');
    const output = readShowFlags(cmd, flags);
    await find(answering(cmd, flags), output, flags, [words].flat());
  });
}
