/** The command tree, of which only the asked branch is built. */
import type { Command } from 'commander';
import { helpGroups } from '../flags/flags.ts';
import { addHelp, type HelpText } from '../help/help-text.ts';
import { readArgv } from './argv.ts';
import { newCommand } from './command.ts';
import { type Call, commonOptions, contextFor } from './command-context.ts';
import { version } from './version.ts';

/** A word after `cb`: what it is for, and how to build what stands below it. */
interface Branch {
  readonly summary: string;
  /** The heading that it stands under. */
  readonly group: string;
  build(command: Command, call: Call): Promise<void>;
}

const groups = { sell: 'Sell and support:', script: 'Try and script:', setUp: 'Set up and learn:' };

const branches: Readonly<Record<string, Branch>> = {
  orders: {
    summary: 'Find sales, rebills, refunds; change subscriptions',
    group: groups.sell,
    build: async (...at) => (await import('../commands/orders/orders.ts')).addOrders(...at),
  },
  tickets: {
    summary: 'Refunds, cancellations and technical support of customers',
    group: groups.sell,
    build: async (...at) => (await import('../commands/tickets/tickets.ts')).addTickets(...at),
  },
  products: {
    summary: 'List, read, save and delete products',
    group: groups.sell,
    build: async (...at) => (await import('../commands/products.ts')).addProducts(...at),
  },
  quickstats: {
    summary: 'Sales, refunds and chargebacks per account and day',
    group: groups.sell,
    build: async (...at) =>
      (await import('../commands/quickstats/quickstats.ts')).addQuickstats(...at),
  },
  ship: {
    summary: 'Orders to be shipped, and notices of what was',
    group: groups.sell,
    build: async (...at) => (await import('../commands/ship/ship.ts')).addShip(...at),
  },
  analytics: {
    summary: 'Figures by dimension, subscriptions and their trends',
    group: groups.sell,
    build: async (...at) => (await import('../commands/analytics.ts')).addAnalytics(...at),
  },
  api: {
    summary: 'Send any request to the service, unchecked',
    group: groups.script,
    build: async (...at) => (await import('../commands/api.ts')).buildApi(...at),
  },
  login: {
    summary: 'Store an API key as a profile',
    group: groups.setUp,
    build: async (...at) => (await import('../commands/login.ts')).buildLogin(...at),
  },
  logout: {
    summary: 'Forget the key of a profile',
    group: groups.setUp,
    build: async (...at) => (await import('../commands/profiles.ts')).buildLogout(...at),
  },
  whoami: {
    summary: 'Show which service and key are used, and what the key may do',
    group: groups.setUp,
    build: async (...at) => (await import('../commands/whoami.ts')).buildWhoami(...at),
  },
  profiles: {
    summary: 'List, switch and remove stored keys',
    group: groups.setUp,
    build: async (...at) => (await import('../commands/profiles.ts')).addProfiles(...at),
  },
  doctor: {
    summary: 'Look for what is wrong with the set-up, and tell what mends it',
    group: groups.setUp,
    build: async (...at) => (await import('../commands/doctor.ts')).buildDoctor(...at),
  },
  config: {
    summary: 'Settings of a profile, such as its pace',
    group: groups.setUp,
    build: async (...at) => (await import('../commands/config.ts')).addConfig(...at),
  },
  sandbox: {
    summary: 'The whole service on this machine, to try, script and test',
    group: groups.script,
    build: async (...at) => (await import('../commands/sandbox/sandbox.ts')).addSandbox(...at),
  },
  completion: {
    summary: 'Let the shell complete commands, flags, values and what was seen lately',
    group: groups.setUp,
    build: async (...at) => (await import('../commands/completion.ts')).addCompletion(...at),
  },
  help: {
    summary: 'Help on a command, or on a topic such as dates, output or safety',
    group: groups.setUp,
    build: async (...at) => (await import('../commands/help.ts')).buildHelp(...at),
  },
};

/** Builds the program for one command line; the branches that it doesn't ask for are bare names. */
export async function buildProgram(argv: readonly string[], call: Call): Promise<Command> {
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
      const { showFirstScreen } = await import('../help/first-screen.ts');
      await showFirstScreen(contextFor(call, program.opts()));
    });
  }
  for (const [name, branch] of Object.entries(branches)) {
    const command = newCommand(call.context, name).description(branch.summary);
    command.helpGroup(branch.group);
    if (name === asked) await branch.build(command, call);
    program.addCommand(command);
  }
  return program;
}

/** The program with every branch: what completion and the reference are made from. */
export async function buildWholeProgram({ context, code }: Call): Promise<Command> {
  const call: Call = { context, code };
  const program = await buildProgram([], call);
  for (const command of program.commands) await branches[command.name()]?.build(command, call);
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
