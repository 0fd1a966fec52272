/** `npm run bench:start`: measures the startup and response times of cb relative to Node. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  benchmark,
  type Command,
  cb,
  measure,
  printTable,
  printVerdicts,
  ratio,
  runRounds,
} from './runner.ts';
import { pagesADay, periodOf } from './service.ts';

const rounds = 30;
const node = 'node -e 0';

// The status of the last page of a day ends the list.
const { startDate, endDate } = periodOf(pagesADay);
const page = ['--start-date', startDate, '--end-date', endDate, '--page', String(pagesADay)];

/** The sample orders are made while the user waits: about a second. */
const firstCall = 'cb --sandbox orders list, first call';

/** Each with its maximum time, as a multiple of the time in which Node runs an empty program. */
const commands: Readonly<Record<string, readonly [command: Command, atMost: number]>> = {
  [node]: [{ file: process.execPath, args: ['-e', '0'] }, 1],
  'cb --version': [cb(['--version']), 1.12],
  'cb --help': [cb(['--help']), 1.3],
  'cb orders list --help': [cb(['orders', 'list', '--help']), 1.25],
  'cb orders list': [cb(['orders', 'list', ...page]), 3.6],
  'cb --sandbox orders list': [cb(['--sandbox', 'orders', 'list', '--limit', '100']), 5],
  'cb --sandbox today': [cb(['--sandbox', 'today']), 12],
  'cb --sandbox find smith': [cb(['--sandbox', 'find', 'smith']), 12],
  'cb --sandbox summary': [cb(['--sandbox', 'summary']), 12],
};

await benchmark(async ({ folder, serve }) => {
  const baseUrl = (await serve([0]))[0];
  const config = join(folder, '.config/clickbank-cli');
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const stored = { current: 'shop', profiles: { shop: { baseUrl, key: 'API-BENCHMARK' } } };
  writeFileSync(join(config, 'config.json'), JSON.stringify(stored), { mode: 0o600 });
  const tasks = Object.entries(commands).map(([says, [command]]) => {
    return [says, () => measure({ ...command, env: { HOME: folder }, isBare: true })] as const;
  });
  // The first call on the sandbox seeds its orders.
  for (const [, run] of tasks) await run();
  const callFirst = () => {
    const env = { HOME: mkdtempSync(join(folder, 'home-')) };
    return measure({ ...cb(['--sandbox', 'orders', 'list', '--limit', '3']), env, isBare: true });
  };
  const first = await runRounds(new Map([[firstCall, callFirst]]), 9);
  const medians = new Map([...(await runRounds(new Map(tasks), rounds)), ...first]);
  const base = medians.get(node)?.seconds;
  const rows = [...medians].map(([says, { seconds }]) => {
    return [says, (seconds * 1000).toFixed(0), ratio(seconds, base)];
  });
  printTable('Start to end', ['', 'ms', 'x node'], rows);
  printVerdicts(
    [...medians].slice(1).map(([name, { seconds }]) => ({
      says: `${name}: time over that of Node`,
      ...{ figure: seconds, base, atMost: commands[name]?.[1] ?? 30 },
    })),
  );
});
