/** Builds the command tree, but only the branch that is needed. */
import type { Command, Option } from 'commander';
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
import type { CommandTree } from '../grammar/canonical.ts';
import { commandsBelow, isNamed, isOnlyGroup, optionsOf } from '../grammar/say.ts';
import { showFirstScreen } from '../help/first-screen.ts';
import { addHelp, type HelpText } from '../help/help-text.ts';
import { topics } from '../help/topics/topics.ts';
import type { CommandName } from './argv.ts';
import { readArgv } from './argv.ts';
import { newCommand } from './command.ts';
import { addFormatOptions, type Call, commonOptions, contextFor } from './command-context.ts';
import type { Context } from './context.ts';
import { type AnySpec, fill } from './define.ts';
import { exitCodes } from './exit-codes.ts';
import { version } from './version.ts';

/**
 * The heading in the help, the summary, and the function that builds the branch. The code of a branch is loaded when
 * it is named, so that a call loads only its own.
 */
type Branch = readonly [group: string, summary: string, load: () => AnySpec];

const daily = 'Daily work:';
const core = 'Core commands:';
const copy = 'A copy in a database:';
const developer = 'Developer commands:';
const setup = 'Setup and help:';

/** Branches by the word after `cb`. */
const branches: Readonly<Record<CommandName, Branch>> = {
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

function fillBranch(command: Command, call: Call): void {
  const load = branches[command.name() as CommandName]?.[2];
  if (load) fill(command, load(), call);
}

/** Builds the program for one command line; other branches have only a name and a summary. */
export function buildProgram(argv: readonly string[], call: Call): Command {
  const program = newCommand(call.context, 'cb')
    .description('The command line for ClickBank vendors and affiliates')
    .optionsGroup(helpGroups.global)
    .version(version, '-V, --version', 'Show the version');
  addHelp(program, helpText);
  for (const option of commonOptions()) program.addOption(option);
  addFormatOptions(program);
  const [asked] = readArgv(argv).words;
  if (asked === undefined) {
    program.action(async () => {
      await showFirstScreen(contextFor(call, program.opts()));
    });
  }
  for (const [name, [group, summary]] of Object.entries(branches)) {
    const command = newCommand(call.context, name).description(summary).helpGroup(group);
    if (name === asked) fillBranch(command, call);
    program.addCommand(command);
  }
  return program;
}

/** Builds the program with every branch, for completion and the reference. */
export function buildWholeProgram({ asked: _, ...call }: Call): Command {
  const program = buildProgram([], call);
  for (const command of program.commands) fillBranch(command, call);
  return program;
}

/** Describes the commands before any is built. A group and its options are built when they are looked up. */
export function commandTree(context: Context): CommandTree {
  const call: Call = { context, code: exitCodes.ok, asked: [] };
  const groups = new Map<string, Command>();
  const groupNamed = (name: string) => {
    const group = groups.get(name) ?? newCommand(context, name);
    if (!groups.has(name)) fillBranch(group, call);
    groups.set(name, group);
    return group;
  };
  const common = commonOptions();
  let all: readonly Option[] | undefined;
  return {
    namesBelow([name, ...path]) {
      if (name === undefined) return Object.keys(branches);
      const below = (group: Command | undefined, word: string) =>
        group?.commands.find((command) => command.name() === word);
      return path.reduce(below, groupNamed(name))?.commands.map((one) => one.name()) ?? [];
    },
    takesValue(typed) {
      const known = common.find((option) => isNamed(option, typed));
      if (known) return known.required;
      all ??= commandsBelow(buildWholeProgram(call)).flatMap(({ options }) => options);
      const alike = all.filter((option) => isNamed(option, typed));
      return alike.length === 0 ? undefined : alike.some(({ required }) => required);
    },
  };
}

const helpText = (): HelpText => ({
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
});

/** Whether the words name a group without a command, so that the call shows the help of the group. */
export function stopsAtGroup(argv: readonly string[], program: Command): boolean {
  let group = program;
  for (const word of readArgv(argv).words) {
    const next = group.commands.find((command) => command.name() === word);
    if (!next) return false;
    group = next;
  }
  const own = optionsOf(group);
  const isKnown = (typed: string) =>
    [typed.replace(/=.*/s, ''), typed.slice(0, 2)].some((name) =>
      own.some((option) => isNamed(option, name)),
    );
  const typed = argv.filter((word) => /^-./.test(word));
  return group !== program && isOnlyGroup(group) && typed.every(isKnown);
}
