/** `cb orders watch`: new orders as they come. */
import { type Command, Option } from 'commander';
import { orders } from '../../../operations/orders.ts';
import { addParameters, helpGroups } from '../../flags/flags.ts';
import { addShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import { addCommand, newCommand } from '../../runtime/command.ts';
import { type Call, contextFor } from '../../runtime/command-context.ts';
import type { WatchFlags } from './watch-orders.ts';
import { watchOrders } from './watch-orders.ts';

const { check: _, ...list } = orders.list;
const { startDate: _first, endDate: _last, ...params } = list.params;
/** The list for whatever days. */
const withoutDays = { ...list, params };

export function addOrderWatch(group: Command, call: Call): void {
  const command = newCommand(call.context, 'watch').description(
    'Show new orders as they come, until you stop it',
  );
  addCommand(group, command, call, () => fill(command, call));
}

function fill(command: Command, call: Call): void {
  addParameters(command, withoutDays);
  const own = [
    new Option('--every <seconds>', 'Seconds between two looks (default: 30)'),
    new Option('--today', 'First those of today so far'),
  ];
  for (const option of own) command.addOption(option.helpGroup(helpGroups.find));
  addShowFlags(command, { rows: true, pages: false, totals: false, endless: true });
  addHelp(command, () => helpText);
  command.action(async () => {
    const flags = command.optsWithGlobals<WatchFlags>();
    await watchOrders(contextFor(call, flags), withoutDays, flags);
  });
}

const helpText: HelpText = {
  asks: true,
  notes: [
    'It asks for the newest page only, and for more where that is all new: with --every 30, about 2,900 of the 25,000 requests that a day allows. After a lost connection it goes on, and what came meanwhile is shown then. Ctrl-C ends it.',
  ],
  examples: [
    'cb orders watch --today --limit 3',
    'cb orders watch --type SALE -o ndjson --limit 1 --today',
  ],
  roles: orders.list.roles,
  topics: ['output', 'credentials', 'exit-codes'],
};
