/** `cb sandbox …` */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Command } from 'commander';
import { showText, showValue } from '../../display/show.ts';
import { wholeNumber } from '../../flags/flags.ts';
import { addShowFlags, readShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { addHelp } from '../../help/help-text.ts';
import { newCommand } from '../../runtime/command.ts';
import {
  type Call,
  type CommandContext,
  type CommonFlags,
  contextFor,
} from '../../runtime/command-context.ts';
import { type ExitCode, exitCodes } from '../../runtime/exit-codes.ts';
import { Failure, usage } from '../../runtime/failure.ts';
import {
  reseedSandbox,
  type Sandbox,
  sandboxFile,
  withSandbox,
} from '../../session/sandbox-session.ts';
import { addClock, asText } from './clock.ts';
import { addFaults, asUsage } from './faults.ts';

interface SeedFlags {
  readonly orders?: string;
  readonly randomSeed?: string;
}

interface ServerFlags {
  readonly port?: string;
  readonly key?: string;
  readonly faults?: string;
}

type StartFlags = CommonFlags & ShowFlags & SeedFlags & ServerFlags;

export function addSandbox(group: Command, call: Call): void {
  addStart(group, call);
  addExec(group, call);
  addReset(group, call);
  addSeed(group, call);
  addStatus(group, call);
  addClock(group, call);
  addFaults(group, call);
  addHelp(group, () => ({ topics: ['sandbox', 'environment'] }));
}

function addStart(group: Command, call: Call): void {
  const command = newCommand(call.context, 'start')
    .description('Serve the sandbox to other programs until Ctrl-C')
    .option('--port <n>', 'The port on 127.0.0.1 (default: any free one)')
    .option('--key <name>', 'Print this key (default: full)')
    .option('--faults <list>', 'Faults of this server alone (see cb sandbox faults --help)')
    .action(async () => {
      const flags = command.optsWithGlobals<StartFlags>();
      await start(contextFor(call, flags), flags);
    });
  addHelp(command, () => ({
    notes: ['Prints CB_BASE_URL and CB_API_KEY as lines that a shell can read.'],
    examples: [
      'cb sandbox start',
      'cb sandbox start --port 8080 --key read-only',
      'cb sandbox start --faults latency=200ms,503=10%',
    ],
  }));
  group.addCommand(command);
}

async function start(cmd: CommandContext, flags: StartFlags): Promise<void> {
  const port = flags.port === undefined ? 0 : wholeNumber('--port', flags.port, 0, 65_535);
  const own = flags.faults === undefined ? {} : { faults: flags.faults };
  const serve = async (sandbox: Sandbox) => {
    const access = Object.entries(accessTo(sandbox, flags.key));
    const lines = access.map(([name, value]) => `${name}=${value}`).join('\n');
    await showText(cmd, asText, lines);
    cmd.messages.say(`serving the sandbox on ${sandbox.url}; Ctrl-C ends it`);
    const { signal } = cmd.context;
    if (!signal.aborted) await once(signal, 'abort');
    const codes: readonly ExitCode[] = [exitCodes.hungUp, exitCodes.terminated];
    cmd.endWith(codes.find((code) => code === signal.reason) ?? exitCodes.interrupted);
  };
  await withSandbox(cmd, serve, { port, ...own }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EADDRINUSE') throw asUsage('--faults', cause);
    throw new Failure(exitCodes.network, `port ${port} is taken`, { cause, hint: 'try another' });
  });
}

/** The environment that points cb, or any other client, at the sandbox. */
function accessTo(sandbox: Sandbox, keyName = 'full'): Record<string, string> {
  const key = sandbox.keys.find(({ name }) => name === keyName);
  if (!key) {
    const known = sandbox.keys.map(({ name }) => name).join(', ');
    throw usage(`--key '${keyName}' is no key of the sandbox`, { hint: `there are: ${known}` });
  }
  return { CB_BASE_URL: sandbox.url, CB_API_KEY: key.key };
}

function addExec(group: Command, call: Call): void {
  const command = newCommand(call.context, 'exec')
    .description('Run a program with CB_BASE_URL and CB_API_KEY set to the sandbox')
    .argument('<program...>', 'The program and its arguments, after --')
    .option('--key <name>', 'Use this key (default: full)')
    .action(async (program: readonly string[]) => {
      const flags = command.optsWithGlobals<StartFlags>();
      await exec(contextFor(call, flags), program, flags.key);
    });
  addHelp(command, () => ({
    notes: ['Exits with the code of the program.'],
    examples: [
      'cb sandbox exec -- ./nightly-export.sh',
      'cb sandbox exec -- cb orders count --period last-month',
    ],
  }));
  group.addCommand(command);
}

function exec(cmd: CommandContext, [file = '', ...args]: readonly string[], key?: string) {
  return withSandbox(cmd, async (sandbox) => {
    const env = { ...cmd.context.env, ...accessTo(sandbox, key) };
    const child = spawn(file, args, { env, cwd: cmd.context.folder, stdio: 'inherit' });
    const [code, signal] = (await once(child, 'close').catch((cause: NodeJS.ErrnoException) => {
      throw usage(`'${file}' can't be run (${cause.code})`, { cause });
    })) as [number | null, NodeJS.Signals | null];
    // A program ended by a signal counts as shells count it.
    const ended = code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
    cmd.endWith(ended as ExitCode);
  });
}

function addReset(group: Command, call: Call): void {
  const command = newCommand(call.context, 'reset')
    .description('Throw away what was changed and make up as many orders again')
    .action(async () => {
      const cmd = contextFor(call, command.optsWithGlobals());
      await reseedSandbox(cmd, {});
    });
  addHelp(command, () => ({ examples: ['cb sandbox reset'], topics: ['sandbox'] }));
  group.addCommand(command);
}

function addSeed(group: Command, call: Call): void {
  const command = newCommand(call.context, 'seed')
    .description('Fill the sandbox with another set of orders')
    .option('--orders <n>', 'So many transactions, up to 1000000 (default: 5000)')
    .option('--random-seed <n>', 'The same number makes the same orders (default: 1)')
    .action(async () => {
      const flags = command.optsWithGlobals<CommonFlags & SeedFlags>();
      await reseedSandbox(contextFor(call, flags), {
        orders: wholeNumber('--orders', flags.orders ?? '5000', 1, 1_000_000),
        randomSeed: wholeNumber('--random-seed', flags.randomSeed ?? '1', 0, 2_147_483_647),
      });
    });
  addHelp(command, () => ({ examples: ['cb sandbox seed --orders 20000 --random-seed 7'] }));
  group.addCommand(command);
}

function addStatus(group: Command, call: Call): void {
  const command = newCommand(call.context, 'status').description(
    'Show the contents, clock, faults and keys of the sandbox',
  );
  addShowFlags(command, {});
  command.action(async () => {
    const flags = command.optsWithGlobals<StartFlags>();
    await status(contextFor(call, flags), flags);
  });
  addHelp(command, () => ({
    notes: ['The keys are the same in every sandbox and open nothing else: they are no secret.'],
    examples: ['cb sandbox status', 'cb sandbox status -o json'],
  }));
  group.addCommand(command);
}

async function status(cmd: CommandContext, flags: StartFlags): Promise<void> {
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
