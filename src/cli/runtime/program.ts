/** The command tree, of which only the asked branch is built. */
import type { Command } from 'commander';
import { addAlias } from '../commands/alias.ts';
import { addAnalytics } from '../commands/analytics.ts';
import { buildApi } from '../commands/api.ts';
import { addCompletion } from '../commands/completion.ts';
import { addConfig } from '../commands/config.ts';
import { buildDoctor } from '../commands/doctor.ts';
import { buildHelp } from '../commands/help.ts';
import { buildLogin } from '../commands/login.ts';
import { addOrders } from '../commands/orders/orders.ts';
import { addProducts } from '../commands/products.ts';
import { addProfiles, buildLogout } from '../commands/profiles.ts';
import { addQuickstats } from '../commands/quickstats/quickstats.ts';
import { addSandbox } from '../commands/sandbox/sandbox.ts';
import { addShip } from '../commands/ship/ship.ts';
import { addTickets } from '../commands/tickets/tickets.ts';
import { buildWhoami } from '../commands/whoami.ts';
import { helpGroups } from '../flags/flags.ts';
import { showFirstScreen } from '../help/first-screen.ts';
import { addHelp, type HelpText } from '../help/help-text.ts';
import { readArgv } from './argv.ts';
import { newCommand } from './command.ts';
import { type Call, commonOptions, contextFor } from './command-context.ts';
import { version } from './version.ts';

/** The heading in the help, what it is for, and how to build what stands below it. */
type Branch = readonly [
  group: string,
  summary: string,
  build: (command: Command, call: Call) => void,
];

const sell = 'Sell and support:';
const script = 'Try and script:';
const setUp = 'Set up and learn:';

/** By the word after `cb`. */
const branches: Readonly<Record<string, Branch>> = {
  orders: [sell, 'Find sales, rebills, refunds; change subscriptions', addOrders],
  tickets: [sell, 'Refunds, cancellations and technical support of customers', addTickets],
  products: [sell, 'List, read, save and delete products', addProducts],
  quickstats: [sell, 'Sales, refunds and chargebacks per account and day', addQuickstats],
  ship: [sell, 'Orders to be shipped, and notices of what was', addShip],
  analytics: [sell, 'Figures by dimension, subscriptions and their trends', addAnalytics],
  api: [script, 'Send any request to the service, unchecked', buildApi],
  login: [setUp, 'Store an API key as a profile', buildLogin],
  logout: [setUp, 'Forget the key of a profile', buildLogout],
  whoami: [setUp, 'Show which service and key are used, and what the key may do', buildWhoami],
  profiles: [setUp, 'List, switch and remove stored keys', addProfiles],
  doctor: [setUp, 'Look for what is wrong with the set-up, and tell what mends it', buildDoctor],
  config: [setUp, 'Settings of a profile, such as its pace', addConfig],
  alias: [setUp, 'Give names to the commands that you use often', addAlias],
  sandbox: [script, 'The whole service on this machine, to try, script and test', addSandbox],
  completion: [
    setUp,
    'Let the shell complete commands, flags, values and what was seen lately',
    addCompletion,
  ],
  help: [setUp, 'Help on a command, or on a topic such as dates, output or safety', buildHelp],
};

/** The words that can stand after `cb`, apart from aliases. */
export const commandNames: readonly string[] = Object.keys(branches);

/** Builds the program for one command line; the branches that it doesn't ask for are bare names. */
export function buildProgram(argv: readonly string[], call: Call): Command {
  const program = newCommand(call.context, 'cb')
    .description('The command line for ClickBank vendors and affiliates')
    .usage('<command> [flags]')
    .optionsGroup(helpGroups.other)
    .version(version, '-V, --version', 'Show the version');
  addHelp(program, () => helpText);
  for (const option of commonOptions()) program.addOption(option);
  const [asked] = readArgv(argv).words;
  if (asked === undefined) {
    program.action(async () => {
      await showFirstScreen(contextFor(call, program.opts()));
    });
  }
  for (const [name, [group, summary, build]] of Object.entries(branches)) {
    const command = newCommand(call.context, name).description(summary).helpGroup(group);
    if (name === asked) build(command, call);
    program.addCommand(command);
  }
  return program;
}

/** The program with every branch: what completion and the reference are made from. */
export function buildWholeProgram({ asked: _, ...call }: Call): Command {
  const program = buildProgram([], call);
  for (const command of program.commands) branches[command.name()]?.[2](command, call);
  return program;
}

const helpText: HelpText = {
  notes: [
    'First steps:',
    {
      'cb --sandbox orders list --period last-7-days': 'try it without an account',
      'cb login': 'store your API key',
      'cb help output': 'what is shown, and where it goes',
    },
  ],
  topics: ['dates', 'output', 'exit-codes', 'environment', 'credentials', 'safety', 'sandbox'],
};

/** True when the words name a group, and none of its commands: its help is what is wanted. */
export function stopsAtGroup(argv: readonly string[], program: Command): boolean {
  let group = program;
  for (const word of readArgv(argv).words) {
    const next = group.commands.find((command) => command.name() === word);
    if (!next) return false;
    group = next;
  }
  return group !== program && group.commands.length > 0;
}
