/** `cb orders watch`: new orders as they come. */
import { type Command, Option } from 'commander';
import { realClock } from '../../../client/clock.ts';
import { dayIn, serviceZone } from '../../../dates/pacific.ts';
import { orders } from '../../../operations/orders.ts';
import { showPages } from '../../display/show.ts';
import { requireShowable } from '../../display/showable.ts';
import type { Pages } from '../../display/shown-pages.ts';
import { argumentsFrom } from '../../endpoint/arguments.ts';
import type { AllFlags } from '../../endpoint/endpoint-command.ts';
import { addParameters, helpGroups, wholeNumber } from '../../flags/flags.ts';
import { addShowFlags, type OutputOptions, readShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import { addAction, addCommand, newCommand } from '../../runtime/command.ts';
import type { Call, CommandContext } from '../../runtime/command-context.ts';
import { usage } from '../../runtime/failure.ts';
import { withApi } from '../../session/session.ts';

type WatchFlags = AllFlags & { readonly every?: string; readonly today?: boolean };

const { check: _, ...list } = orders.list;
const { startDate: _first, endDate: _last, ...params } = list.params;
const withoutDays = { ...list, params };

export function addOrderWatch(group: Command, call: Call): void {
  const command = newCommand(call.context, 'watch').description(
    'Show new orders as they come, until you stop it',
  );
  addCommand(group, command, call, () => {
    addParameters(command, withoutDays);
    const own = [
      new Option('--every <seconds>', 'Seconds between two looks (default: 30)'),
      new Option('--today', 'First those of today so far'),
    ];
    for (const option of own) command.addOption(option.helpGroup(helpGroups.find));
    addShowFlags(command, { rows: true, endless: true });
    addHelp(command, () => helpText);
    addAction(command, call, watchOrders);
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

/** Shows new orders until the command is stopped. */
async function watchOrders(cmd: CommandContext, flags: WatchFlags): Promise<void> {
  const { messages, context } = cmd;
  const { resource } = orders.list.returns;
  const output = readShowFlags(cmd, flags);
  requireEndless(output);
  await requireShowable(output, resource);
  const seconds = wholeNumber('--every', flags.every ?? '30', 1, 86_400);
  const { args, notes } = await argumentsFrom(cmd, withoutDays, flags);
  for (const note of notes) messages.say(`note: ${note}`);
  const { watchRows } = await import('../../../workflows/watch/watch-rows.ts');
  await withApi(cmd, {}, async (client) => {
    const looks = watchRows({
      ...{ client, args, list: orders.list },
      interval: seconds * 1000,
      includeExisting: flags.today ?? false,
      clock: context.clock ?? realClock,
      signal: context.signal,
      days: () => daysNow(cmd),
      onStarted: (rows) =>
        messages.tell(`${rows} orders so far today. Waiting for new orders; press Ctrl-C to stop.`),
      onError: ({ message }) => messages.say(`warning: ${message} Still trying.`),
      onRecovered: () => messages.say('The service responds again.'),
    });
    await showPages(cmd, output, { resource }, pagesOf(looks));
  });
}

/** Refuses formats whose document is complete only at its end. */
function requireEndless({ format }: OutputOptions): void {
  if (format === 'table' || format === 'csv' || format === 'tsv' || format === 'ndjson') return;
  throw usage(`A list without an end cannot be ${format}.`, {
    hint: 'For programs, use -o ndjson.',
  });
}

const hour = 3_600_000;

/** Today at the service, and yesterday within the first hour of a day. */
async function daysNow(cmd: CommandContext): Promise<{ first: string; last: string }> {
  const { nowFor } = await import('../../session/service-clock.ts');
  const now = await nowFor(cmd);
  const hourAgo = new Date(now.getTime() - hour);
  return { first: dayIn(serviceZone, hourAgo), last: dayIn(serviceZone, now) };
}

async function* pagesOf(looks: AsyncIterable<readonly unknown[]>): Pages {
  let number = 0;
  for await (const rows of looks) {
    number += 1;
    yield { number, more: true, rows, totals: [] };
  }
}
