/** `cb` as a value: its options, and the commands below it, whose code is loaded when they are named. */
import { Option } from 'commander';
import { formatNames } from '../../output/registry.ts';
import { alias } from '../commands/alias.ts';
import { analyticsGroup } from '../commands/analytics.ts';
import { api } from '../commands/api.ts';
import { completion } from '../commands/completion.ts';
import { config } from '../commands/config.ts';
import { doctor } from '../commands/doctor.ts';
import { check } from '../commands/earnings/check.ts';
import { summary, today } from '../commands/earnings/summary.ts';
import { exportGroup } from '../commands/export/month.ts';
import { find } from '../commands/find.ts';
import { help } from '../commands/help.ts';
import { ins } from '../commands/ins.ts';
import { log } from '../commands/log.ts';
import { login } from '../commands/login.ts';
import { approve } from '../commands/mcp/approve.ts';
import { mcp } from '../commands/mcp/mcp.ts';
import { metrics } from '../commands/metrics.ts';
import { ordersGroup } from '../commands/orders/orders.ts';
import { productsGroup } from '../commands/products.ts';
import { logout, profiles } from '../commands/profiles.ts';
import { quickstatsGroup } from '../commands/quickstats/quickstats.ts';
import { replies } from '../commands/replies.ts';
import { sandboxGroup } from '../commands/sandbox/sandbox.ts';
import { ship } from '../commands/ship/ship.ts';
import { sql } from '../commands/sql.ts';
import { sync } from '../commands/sync.ts';
import { ticketsGroup } from '../commands/tickets/tickets.ts';
import { whoami } from '../commands/whoami.ts';
import { helpGroups } from '../flags/flags.ts';
import { showFirstScreen } from '../help/first-screen.ts';
import { topics } from '../help/topics/topics.ts';
import { type CommandName, commonFlags } from './argv.ts';
import { type AnySpec, Branch, type ProgramSpec } from './define.ts';

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
  check: [daily, 'Check refund and chargeback rates against limits', () => check],
  find: [daily, 'Find orders and tickets of a customer', () => find],
  export: [daily, 'Write the month for your bookkeeper to a workbook', () => exportGroup],
  orders: [core, 'List sales, rebills and refunds; change subscriptions', () => ordersGroup],
  tickets: [
    core,
    'Create and work on refunds, cancellations and support tickets',
    () => ticketsGroup,
  ],
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
  sql: [copy, 'Answer questions from the copy with SQL', () => sql],
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
        'cb --sandbox orders list': 'try cb without an account',
        'cb login': 'store your API key',
      },
    ],
    // The page of all commands.
    topics: [...topics, '--all'],
  },
  start: showFirstScreen,
  commands: Object.entries(commands).map(([words, [heading, summary, load]]) => ({
    words,
    heading,
    summary,
    load,
  })),
};

/** The tree of all commands. */
export function commandTree(): Branch {
  return new Branch(cb);
}
