/** `cb` as a value: its options, and the commands below it, whose code is loaded when they are named. */
import { Option } from 'commander';
import { approve } from './features/agents/approvals/approve-command.ts';
import { mcp } from './features/agents/mcp-command.ts';
import { check } from './features/earnings/check-command.ts';
import { summary, today } from './features/earnings/summary-command.ts';
import { find } from './features/find/find-command.ts';
import { ins } from './features/ins/ins-command.ts';
import { analyticsGroup } from './features/mirror/analytics.ts';
import { api } from './features/mirror/api.ts';
import { ordersGroup } from './features/mirror/orders.ts';
import { productsGroup } from './features/mirror/products.ts';
import { quickstatsGroup } from './features/mirror/quickstats.ts';
import { ship } from './features/mirror/ship.ts';
import { ticketsGroup } from './features/mirror/tickets.ts';
import { exportGroup } from './features/month/month-command.ts';
import { sandboxGroup } from './features/sandbox/sandbox.ts';
import { alias } from './features/setup/alias.ts';
import { completion } from './features/setup/completion.ts';
import { config } from './features/setup/config.ts';
import { doctor } from './features/setup/doctor-command.ts';
import { help } from './features/setup/help.ts';
import { login, logout, profiles, whoami } from './features/setup/keys.ts';
import { log } from './features/setup/log.ts';
import { sql } from './features/sync/query/sql-command.ts';
import { sync } from './features/sync/sync-command.ts';
import { metrics } from './features/sync/views/metrics-command.ts';
import { replies } from './features/tickets/replies.ts';
import { formatNames } from './output/registry.ts';
import { type CommandName, commonFlags } from './shell/argv.ts';
import { type AnySpec, Branch, type ProgramSpec } from './shell/define.ts';
import { showFirstScreen } from './shell/help/first-screen.ts';
import { topics } from './shell/help/topics.ts';
import { helpGroups } from './shell/options/flags.ts';

type Late = readonly [heading: string, summary: string, load: () => AnySpec];

const daily = 'Daily work:';
const core = 'Core commands:';
const copy = 'A copy in a database:';
const developer = 'Developer commands:';
const setup = 'Setup and help:';

/** By the word after `cb`: the heading in the help, the summary, and the value. */
const commands: Readonly<Record<CommandName, Late>> = {
  today: [daily, 'Show what you earned today, compared with last week', () => today],
  summary: [daily, 'Show what you earned, compared with earlier days', () => summary],
  tickets: [
    daily,
    'List and create refunds and cancellations; work on open tickets',
    () => ticketsGroup,
  ],
  find: [daily, 'Find orders and tickets of a customer', () => find],
  check: [daily, 'Check refund and chargeback rates against limits', () => check],
  export: [daily, 'Write a month for your bookkeeper: workbook, csv or journal', () => exportGroup],
  orders: [core, 'List sales, rebills and refunds; change subscriptions', () => ordersGroup],
  products: [core, 'List, create, change and delete products', () => productsGroup],
  quickstats: [
    core,
    'Show sales, refunds and chargebacks by day and account',
    () => quickstatsGroup,
  ],
  ship: [core, 'List orders to ship and create ship notices', () => ship],
  analytics: [core, 'Show metrics by dimension, subscriptions and trends', () => analyticsGroup],
  replies: [daily, 'Save replies to tickets and use them again', () => replies],
  sync: [copy, 'Copy your account into a database and keep it current', () => sync],
  sql: [copy, 'Query the copy with SQL', () => sql],
  metrics: [copy, 'Show sales, rates, churn and cohorts from the copy', () => metrics],
  api: [developer, 'Send any API request', () => api],
  mcp: [developer, 'Serve your account to an agent, such as Claude or Cursor', () => mcp],
  ins: [developer, 'Try, receive and forward instant notifications', () => ins],
  sandbox: [developer, 'Run a local copy of the service with sample orders', () => sandboxGroup],
  login: [setup, 'Store an API key as a profile', () => login],
  logout: [setup, 'Remove a profile and its key', () => logout],
  whoami: [setup, 'Show the service, the key and its permissions', () => whoami],
  profiles: [setup, 'List, select and remove stored profiles', () => profiles],
  approve: [setup, 'Approve a write that an agent has planned', () => approve],
  log: [setup, 'Show every write that cb has sent, and its outcome', () => log],
  doctor: [setup, 'Find problems in the setup and how to fix them', () => doctor],
  config: [setup, 'Show and change the settings of a profile', () => config],
  alias: [setup, 'Create shortcuts for commands', () => alias],
  completion: [setup, 'Set up shell completion', () => completion],
  help: [setup, 'Show help for a command or a topic', () => help],
};

const cb: ProgramSpec = {
  words: '',
  summary: 'The command line for ClickBank vendors and affiliates',
  options: [
    new Option('-V, --version', 'Show the version'),
    ...commonFlags.map(([flags, summary]) => new Option(flags, summary)),
    // `--json` sets what `--output json` sets, so that only one of them may be given.
    ...formatNames().map((format) =>
      Object.assign(new Option(`--${format}`).hideHelp(), { attributeName: () => 'output' }),
    ),
  ].map((option) => option.helpGroup(helpGroups.global)),
  help: {
    brief: [setup],
    notes: [
      'Get started:',
      {
        'cb --sandbox today': 'try cb without an account',
        'cb login': 'store your API key',
      },
    ],
    // The page of all commands.
    topics: [...topics, '--all'],
  },
  start: showFirstScreen,
  commands: Object.entries(commands).map(([words, [heading, summary, load]]) => {
    return { words, heading, summary, load };
  }),
};

export function commandTree(): Branch {
  return new Branch(cb);
}
