/** `cb orders …` */

import { Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Arguments } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import type { Row } from '../../output/rows/rows.ts';
import { ticketsOf } from '../../safe-write/reads.ts';
import { isOpen } from '../../safe-write/refundable.ts';
import { dayOf, ticketTypeNames } from '../../safe-write/sentence.ts';
import { unlessRefused } from '../../safe-write/verifier.ts';
import type { CommandContext } from '../../shell/context.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import {
  type LeftOut,
  type ListRequest,
  shapeOfView,
  type View,
  type ViewFacts,
} from '../../shell/display/view.ts';
import { requestOptions } from '../../shell/help/help-text.ts';
import { allowRefundOption, helpGroups } from '../../shell/options/flags.ts';
import { serviceWords } from '../../shell/shell-word.ts';
import { accountsOf, isOwnReferral, withoutOrder } from '../earnings/transaction.ts';
import { endpointCommands } from './endpoint-command.ts';
import { orderView, timelines } from './order-view.ts';

/**
 * Collects the affiliates and vendors of sales. If an affiliate is an account of the key, its shares are missing unless
 * another profile lists them.
 */
function ownReferrals(): LeftOut {
  const found = new Map<Client, { own: Promise<readonly string[]>; sold: Map<string, string> }>();
  const listed = new Set<string>();
  const missing = new Set<string>();
  return {
    see(api, rows) {
      const sold = found.get(api)?.sold ?? new Map();
      for (const { role, affiliate, vendor } of rows) {
        if (typeof affiliate !== 'string') continue;
        if (role === 'VENDOR') sold.set(`${affiliate} ${vendor}`, affiliate);
        else if (role === 'AFFILIATE') listed.add(`${affiliate} ${vendor}`);
      }
      if (sold.size === 0) return;
      // Asked once, while the list goes on: a note is not worth a failure or a wait.
      const own = found.get(api)?.own ?? accountsOf(api, { retries: false }).catch(() => []);
      found.set(api, { own, sold });
    },
    async end() {
      for (const { own, sold } of found.values()) {
        const names = await own;
        for (const [sale, name] of sold) {
          if (names.includes(name) && !listed.has(sale)) missing.add(name);
        }
      }
    },
    sentences() {
      if (missing.size === 0) return [];
      const names = [...missing].sort().join(', ');
      return [
        `The list leaves out what ${names} earned as the affiliate of your own sales. Add --role AFFILIATE to list that, or use --layout accounting for both.`,
      ];
    },
  };
}

/** Reads the shares that the list leaves out after its rows. */
async function withOwnReferrals(api: Client, args: Arguments): Promise<readonly ListRequest[]> {
  // A key that may not list its accounts still reads its orders.
  const own = await accountsOf(api).catch((error: unknown): readonly string[] => {
    if (error instanceof ApiError && error.kind === 'refused') return [];
    throw error;
  });
  if (own.length < 2) return [{ args }];
  const isShare = (row: Row) => isOwnReferral(row, own);
  return [
    { args, take: (rows) => rows.filter((row) => !isShare(row)) },
    {
      args: { ...args, role: 'AFFILIATE' },
      take: (rows) => rows.filter(isShare).map(withoutOrder),
    },
  ];
}

/** Silent if the key may not read tickets. */
async function tellOpenTickets(cmd: CommandContext, client: Client, { receipt }: Arguments) {
  const found = await unlessRefused(() => ticketsOf(client, String(receipt)));
  for (const ticket of (found ?? []).filter(isOpen)) {
    const { ticketid, type, openedDate } = ticket;
    if (!ticketid || !type) continue;
    const since = openedDate ? ` since ${dayOf(openedDate)}` : ' ticket';
    const kind = ticketTypeNames[type] ?? type;
    const next = ['cb tickets get', ticketid, ...serviceWords(cmd)].join(' ');
    cmd.messages.tell(`Open${since}: ${kind}. See ${next}`);
  }
}

const { check: _, ...list } = orders.list;
const { startDate: _first, endDate: _last, ...params } = list.params;
const withoutDays = { ...list, params };

const watch = command({
  words: 'orders watch',
  summary: 'Show new orders as they arrive',
  parameters: [withoutDays],
  options: {
    every: ['--every <time>', 'Time between checks (default: 30s)'],
    today: ['--today', 'Start with the orders of today'],
    exec: ['--exec <command>', 'Run a command for each new order (JSON on its stdin)'],
    execMax: ['--exec-max <n>', 'Maximum number of commands at a time (default: 4)'],
  },
  shows: { rows: true, endless: true, live: true, shape: () => shapeOfView(orderView) },
  help: {
    asks: true,
    notes: [
      'Runs until you press Ctrl-C. After a connection failure it continues and shows the orders it missed. With --every 30s it sends about 2,900 requests a day, of the 25,000 that ClickBank allows. Output of the --exec command goes to stderr; if the command fails, cb warns and continues.',
    ],
    examples: [
      'cb orders watch --today --limit 3',
      'cb orders watch --type SALE -o ndjson --limit 1 --today',
      "cb orders watch --today --limit 1 --exec 'cat >> orders.ndjson'",
    ],
    roles: orders.list.roles,
    obeys: requestOptions,
    topics: ['output', 'credentials', 'exit-codes'],
  },
  run: async (cmd, flags, output) =>
    (await import('../lists/watch-orders.ts')).watchOrders(cmd, withoutDays, flags, output),
});

export const ordersGroup: GroupSpec = {
  words: 'orders',
  help: {
    asks: true,
    examples: [
      'cb orders list --type RFND --period last-month',
      "cb orders list --email '%@example.com' --period last-3-months",
      'cb orders get MONTHLY1',
      'cb orders pause MONTHLY1 --restart-date +45d --dry-run',
    ],
    topics: ['dates', 'output', 'safety'],
  },
  commands: endpointCommands(Object.values(orders), {
    special: {
      'orders list': { view: listView, layouts: true, next: watch },
      'orders get': {
        // A timeline of the receipt, or cards with all fields.
        view: (_, { typed = {} } = {}) => ({
          ...{ ...orderView, layout: 'cards' },
          ...(!typed.full && { screen: timelines }),
        }),
        many: 'receipt',
        tellMore: tellOpenTickets,
        flags: [
          new Option('--full', 'Show all fields of each transaction, not one line').helpGroup(
            helpGroups.output,
          ),
        ],
        examples: ['cb orders get MONTHLY1 --full'],
      },
      'orders upsells': { view: () => orderView },
      'orders active': {
        // ClickBank uses the same status for inactive, unknown, not permitted and too many requests. If the order can be
        // read, it exists and the key is permitted, so a second no means inactive.
        async confirmNo(api, { receipt }: Arguments<typeof orders.active.params>) {
          await api.call(orders.get, { receipt });
          return api.call(orders.active, { receipt });
        },
      },
      'orders change-product': { flags: [allowRefundOption], effect: 'destroys' },
    },
  }),
};

/** With `--layout accounting`, the list has the shares of all accounts of the key; otherwise it says what is missing. */
function listView(args: Arguments, { typed = {} }: Partial<ViewFacts> = {}): View {
  const { role, startDate, endDate, type, ...filters }: Arguments<typeof orders.list.params> = args;
  if (role !== undefined) return orderView;
  if (typed.layout === 'accounting' && typed.sinceLast === undefined) {
    return { ...orderView, requests: withOwnReferrals };
  }
  // Who looks for an order adds nothing up.
  return Object.keys(filters).length > 0 ? orderView : { ...orderView, leftOut: ownReferrals() };
}
