/** `cb sandbox …` */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Command } from 'commander';
import { showText, showValue } from '../../display/show.ts';
import { wholeNumber } from '../../flags/flags.ts';
import { addShowFlags, readShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import type { Call, CommandContext } from '../../runtime/command-context.ts';
import { type ExitCode, exitCodes } from '../../runtime/exit-codes.ts';
import { Failure, usage } from '../../runtime/failure.ts';
import {
  reseedSandbox,
  type Sandbox,
  sandboxFile,
  withSandbox,
} from '../../session/sandbox-session.ts';
import { addClock } from './clock.ts';
import { addFaults, asUsage } from './faults.ts';
import { addIns } from './ins.ts';
import { type AddCommand, asText, commandsOf, type SandboxFlags } from './sandbox-command.ts';

export function addSandbox(group: Command, call: Call): void {
  const add = commandsOf(group, call);
  addStart(add);
  addExec(add);
  addReset(add);
  addSeed(add);
  addStatus(add);
  addClock(add);
  addFaults(add);
  addIns(group, call);
  addHelp(group, () => ({ topics: ['sandbox', 'environment'] }));
}

function addStart(add: AddCommand): void {
  const help = {
    notes: ['Prints CB_BASE_URL and CB_API_KEY as assignments that a shell can read.'],
    examples: [
      'cb sandbox start',
      'cb sandbox start --port 8080 --key read-only',
      'cb sandbox start --faults latency=200ms,503=10%',
    ],
  };
  add('start', 'Start the sandbox as a server until Ctrl-C', help, start)
    .option('--port <n>', 'Port on 127.0.0.1 (default: any free port)')
    .option('--key <name>', 'Key to print (default: full)')
    .option('--faults <list>', 'Faults of this server only (see cb sandbox faults --help)');
}

async function start(cmd: CommandContext, flags: SandboxFlags): Promise<void> {
  const port = wholeNumber('--port', flags.port ?? '0', 0, 65_535);
  const own = flags.faults === undefined ? {} : { faults: flags.faults };
  const serve = async (sandbox: Sandbox) => {
    const access = Object.entries(accessTo(sandbox, flags.key));
    const lines = access.map(([name, value]) => `${name}=${value}`).join('\n');
    await showText(cmd, asText, lines);
    cmd.messages.say(`The sandbox is running at ${sandbox.url}. Press Ctrl-C to stop it.`);
    const { signal } = cmd.context;
    if (!signal.aborted) await once(signal, 'abort');
    const codes: readonly ExitCode[] = [exitCodes.hungUp, exitCodes.terminated];
    cmd.endWith(codes.find((code) => code === signal.reason) ?? exitCodes.interrupted);
  };
  await withSandbox(cmd, serve, { port, ...own }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EADDRINUSE') throw asUsage('--faults', cause);
    throw new Failure(exitCodes.network, `Port ${port} is already in use.`, {
      cause,
      hint: 'Choose another port with --port, or omit --port to use any free one.',
    });
  });
}

/** The environment that points cb, or any other client, at the sandbox. */
function accessTo(sandbox: Sandbox, keyName = 'full'): Record<string, string> {
  const key = sandbox.keys.find(({ name }) => name === keyName);
  if (!key) {
    const known = sandbox.keys.map(({ name }) => name).join(', ');
    throw usage(`Unknown --key '${keyName}'.`, { hint: `Keys of the sandbox: ${known}.` });
  }
  return { CB_BASE_URL: sandbox.url, CB_API_KEY: key.key };
}

function addExec(add: AddCommand): void {
  const help = {
    usage: '[options] -- <program...>',
    notes: ['Sets CB_BASE_URL and CB_API_KEY for the program, and ends with its exit code.'],
    examples: [
      'cb sandbox exec -- ./nightly-export.sh',
      'cb sandbox exec -- cb orders count --period last-month',
    ],
  };
  const description = 'Run a program against the sandbox';
  add('exec', description, help, exec)
    .argument('<program...>', 'The program and its arguments, after --')
    .option('--key <name>', 'Key to use (default: full)');
}

function exec(
  cmd: CommandContext,
  { key }: SandboxFlags,
  [file = '', ...args]: readonly string[],
): Promise<void> {
  return withSandbox(cmd, async (sandbox) => {
    const env = { ...cmd.context.env, ...accessTo(sandbox, key) };
    const child = spawn(file, args, { env, cwd: cmd.context.folder, stdio: 'inherit' });
    const [code, signal] = (await once(child, 'close').catch((cause: NodeJS.ErrnoException) => {
      throw usage(`Cannot run '${file}' (${cause.code}).`, { cause });
    })) as [number | null, NodeJS.Signals | null];
    // A program that a signal ended gets the exit code that shells use: 128 plus the number of the signal.
    const ended = code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
    cmd.endWith(ended as ExitCode);
  });
}

function addReset(add: AddCommand): void {
  const help: HelpText = {
    examples: ['cb sandbox reset'],
    topics: ['sandbox'],
    effect: 'destroys',
  };
  const description = 'Discard changes and recreate the sample orders';
  add('reset', description, help, (cmd) => reseedSandbox(cmd, {}));
}

function addSeed(add: AddCommand): void {
  const help: HelpText = {
    examples: ['cb sandbox seed --orders 20000 --random-seed 7'],
    effect: 'destroys',
  };
  const description = 'Replace the contents with other sample orders';
  add('seed', description, help, (cmd, { orders = '5000', randomSeed = '1', orderAmounts }) =>
    reseedSandbox(cmd, {
      orders: wholeNumber('--orders', orders, 1, 1_000_000),
      randomSeed: wholeNumber('--random-seed', randomSeed, 0, 2_147_483_647),
      ...(orderAmounts !== undefined && { orderAmounts: orderAmountsFrom(orderAmounts) }),
    }),
  )
    .option('--orders <n>', 'Number of transactions, up to 1000000 (default: 5000)')
    .option('--random-seed <n>', 'Seed; the same number creates the same orders (default: 1)')
    .option(
      '--order-amounts <currency>',
      'Currency of amounts of orders: dollars, as recorded, or customer (default: as before)',
    );
}

function orderAmountsFrom(typed: string) {
  if (typed === 'dollars' || typed === 'customer') return typed;
  throw usage(`Invalid --order-amounts '${typed}'.`, { hint: 'Use dollars or customer.' });
}

function addStatus(add: AddCommand): void {
  const help = {
    notes: ['The keys are the same in every sandbox and are not secret.'],
    examples: ['cb sandbox status', 'cb sandbox status -o json'],
  };
  const description = 'Show the contents, clock, faults and keys of the sandbox';
  addShowFlags(add('status', description, help, status), {});
}

async function status(cmd: CommandContext, flags: SandboxFlags): Promise<void> {
  const output = readShowFlags(cmd, flags);
  await withSandbox(cmd, (sandbox) => {
    const keys = sandbox.keys.map(({ name, key, says }) => ({
      profile: profileOf(name),
      key,
      permissions: says,
    }));
    return showValue(cmd, output, {
      ...sandbox.status(),
      file: sandboxFile(cmd.context),
      now: sandbox.now().toISOString(),
      faults: sandbox.faults().faults,
      keys,
    });
  });
}

function profileOf(keyName: string): string {
  return keyName === 'full' ? 'sandbox' : `sandbox:${keyName}`;
}
