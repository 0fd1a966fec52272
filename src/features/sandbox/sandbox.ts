/** `cb sandbox …`: a local copy of the service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import type { CommandContext } from '../../shell/context.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import { showText } from '../../shell/display/show.ts';
import { codeOfSignal, type ExitCode, exitCodes, Failure, usage } from '../../shell/failure.ts';
import { wholeNumber } from '../../shell/options/flags.ts';
import { choiceFrom, durationFrom } from '../../shell/options/values.ts';
import { pathWithCb } from '../../shell/own-program.ts';
import {
  profileOfKey,
  reseedSandbox,
  type Sandbox,
  sandboxFile,
  sandboxKey,
  withSandbox,
} from '../../shell/session/sandbox-session.ts';
import { serviceLabel, usualFile } from '../sync/open-copy.ts';
import { asUsage, faults } from './faults.ts';
import { ins } from './ins.ts';

const start = command({
  words: 'sandbox start',
  summary: 'Start the sandbox as a server until Ctrl-C',
  options: {
    port: ['--port <n>', 'Port on 127.0.0.1 (default: any free port)'],
    key: ['--key <name>', 'Key to print (default: full)'],
    faults: ['--faults <list>', 'Faults of this server only (see cb sandbox faults --help)'],
  },
  help: {
    notes: ['Prints CB_BASE_URL and CB_API_KEY as assignments that a shell can read.'],
    examples: [
      'cb sandbox start',
      'cb sandbox start --port 8080 --key read-only',
      'cb sandbox start --faults latency=200ms,503=10%',
    ],
  },
  async run(cmd, flags) {
    const port = wholeNumber('--port', flags.port ?? '0', 0, 65_535);
    const own = flags.faults === undefined ? {} : { faults: flags.faults };
    const serve = async (sandbox: Sandbox) => {
      const access = Object.entries(await accessTo(sandbox, flags.key));
      const lines = access.map(([name, value]) => `${name}=${value}`).join('\n');
      await showText(cmd, {}, lines);
      cmd.messages.say(`The sandbox is running at ${sandbox.url}. Press Ctrl-C to stop it.`);
      const { signal } = cmd.context;
      if (!signal.aborted) await once(signal, 'abort');
      cmd.endWith(codeOfSignal(signal));
    };
    await withSandbox(cmd, serve, { port, ...own }).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EADDRINUSE') throw asUsage('--faults', cause);
      throw new Failure(exitCodes.network, `Port ${port} is already in use.`, {
        cause,
        hint: 'Choose another port with --port, or omit --port to use any free one.',
      });
    });
  },
});

/** The environment that points cb, or any other client, at the sandbox. */
async function accessTo({ url }: Sandbox, keyName = 'full') {
  return { CB_BASE_URL: url, CB_API_KEY: await sandboxKey(keyName) };
}

const exec = command({
  words: 'sandbox exec',
  summary: 'Run a program against the sandbox',
  args: { '<program...>': 'The program and its arguments, after --' },
  options: { key: ['--key <name>', 'Key to use (default: full)'] },
  help: {
    usage: '[options] -- <program...>',
    notes: ['Sets CB_BASE_URL and CB_API_KEY for the program, and ends with its exit code.'],
    examples: [
      'cb sandbox exec -- ./nightly-export.sh',
      'cb sandbox exec -- cb orders count --period last-month',
    ],
  },
  run: (cmd, { key, program: [file = '', ...args] }) =>
    withSandbox(cmd, async (sandbox) => {
      const { env: given, folder, runtime } = cmd.context;
      const PATH = pathWithCb(runtime.own?.at(-1), given.PATH);
      const env = { ...given, PATH, ...(await accessTo(sandbox, key)) };
      // PATH may not have this cb, and on Windows names a file of npm that only a shell can start.
      const own = file === 'cb' ? runtime.own : undefined;
      const [program = file, ...words] = own ?? [];
      const child = spawn(program, [...words, ...args], { env, cwd: folder, stdio: 'inherit' });
      const [code, signal] = (await once(child, 'close').catch((cause: NodeJS.ErrnoException) => {
        throw usage(`Cannot run '${file}' (${cause.code}).`, { cause });
      })) as [number | null, NodeJS.Signals | null];
      // A program that a signal ended gets the exit code that shells use: 128 plus the number of the signal.
      const ended = code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
      cmd.endWith(ended as ExitCode);
    }),
});

const reset = command({
  words: 'sandbox reset',
  summary: 'Discard changes and recreate the sample orders',
  help: { examples: ['cb sandbox reset'], topics: ['sandbox'], effect: 'destroys' },
  run: (cmd) => reseed(cmd, {}),
});

const seed = command({
  words: 'sandbox seed',
  summary: 'Replace the contents with other sample orders',
  options: {
    orders: ['--orders <n>', 'Number of transactions, up to 1000000 (default: 5000)'],
    randomSeed: ['--random-seed <n>', 'Seed; the same number creates the same orders (default: 1)'],
    orderAmounts: [
      '--order-amounts <currency>',
      'Currency of amounts of orders: dollars, as recorded, or customer (default: as before)',
    ],
  },
  help: {
    examples: ['cb sandbox seed --orders 20000 --random-seed 7'],
    effect: 'destroys',
  },
  run(cmd, { orders = '5000', randomSeed = '1', orderAmounts: typed }) {
    const orderAmounts = choiceFrom('--order-amounts', typed, ['dollars', 'customer'] as const);
    return reseed(cmd, {
      orders: wholeNumber('--orders', orders, 1, 1_000_000),
      randomSeed: wholeNumber('--random-seed', randomSeed, 0, 2_147_483_647),
      ...(orderAmounts && { orderAmounts }),
    });
  },
});

/** A copy would mix the former orders with the new ones. */
async function reseed(
  cmd: CommandContext,
  seed: Parameters<typeof reseedSandbox>[1],
): Promise<void> {
  await reseedSandbox(cmd, seed);
  const copy = usualFile(cmd, serviceLabel({ profile: 'sandbox', baseUrl: '' }));
  if (!existsSync(copy)) return;
  const says = `${copy} still has the former orders. To delete it, run cb --sandbox sync reset.`;
  cmd.messages.say(`note: ${says}`);
}

const status = command({
  words: 'sandbox status',
  summary: 'Show the contents, clock, faults and keys of the sandbox',
  value: true,
  help: {
    notes: ['The keys are the same in every sandbox and are not secret.'],
    examples: ['cb sandbox status', 'cb sandbox status -o json'],
  },
  run: (cmd) =>
    withSandbox(cmd, async (sandbox) => {
      const keys = sandbox.keys.map(({ name, key, says: permissions }) => {
        return { profile: profileOfKey(name), key, permissions };
      });
      return {
        ...sandbox.status(),
        file: sandboxFile(cmd.context),
        now: sandbox.now().toISOString(),
        faults: sandbox.faults().faults,
        keys,
      };
    }),
});

const clock = command({
  words: 'sandbox clock',
  summary: 'Show or advance the sandbox clock',
  args: {
    '[advance]': 'The word advance',
    '[time]': 'Time to advance by, such as 12h, 30d or 2w',
  },
  help: {
    notes: [
      'Sales, rebills, refunds and chargebacks appear as the clock advances. The clock also follows real time: a sandbox from yesterday has new orders today. The result depends only on the random seed and the date. Ctrl-C stops after a whole day.',
    ],
    effect: 'writes',
    examples: ['cb sandbox clock', 'cb sandbox clock advance 30d'],
  },
  run: (cmd, { advance: action, time }) => {
    const next = 'cb sandbox clock advance 1d';
    if (action !== undefined && action !== 'advance') {
      throw usage(`Unknown action '${action}'. The clock can only advance.`, { next });
    }
    if (action !== undefined && time === undefined) throw usage('<time> is missing.', { next });
    const milliseconds = time === undefined ? 0 : durationFrom('<time>', time, limits);
    const ahead = Math.floor(milliseconds / 1000);
    return withSandbox(cmd, async (sandbox) => {
      const now = ahead > 0 ? await advance(cmd, sandbox, ahead) : sandbox.now();
      return cmd.context.signal.aborted ? undefined : now.toISOString();
    });
  },
});

const secondsInDay = 86_400;

const limits = { least: 1000, most: 70_000 * secondsInDay * 1000, examples: '12h, 30d or 2w' };

/** Ctrl-C stops it after the current day. */
async function advance({ context, messages }: CommandContext, sandbox: Sandbox, seconds: number) {
  let done = 0;
  const onStep = (doneNow: number) => {
    done = doneNow;
    const percent = Math.floor((100 * done) / seconds);
    messages.status(`Advancing the clock: ${percent}%, ${sandbox.now().toISOString()}`);
  };
  const now = await sandbox.advance(seconds, { signal: context.signal, onStep });
  messages.status('');
  if (done < seconds) {
    const days = Math.floor(done / secondsInDay);
    messages.say(
      `Stopped after ${days} of ${Math.ceil(seconds / secondsInDay)} days. The sandbox clock is at ${now.toISOString()}.`,
    );
  }
  return now;
}

export const sandboxGroup: GroupSpec = {
  words: 'sandbox',
  help: { topics: ['sandbox', 'environment'] },
  commands: [start, exec, reset, seed, status, clock, faults, ins],
};
