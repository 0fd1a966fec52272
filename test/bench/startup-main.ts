/**
 * `npm run bench:start`: measures the startup and response times of cb relative to Node. Each command
 * runs once before it is measured.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, measure } from './child.ts';
import { pagesADay, periodOf } from './days.ts';
import { type Start, startText, verdictText } from './report.ts';
import type { Verdict } from './requirements.ts';
import { alternate, medianOf } from './rounds.ts';
import { cbCommand, openWorld, type World } from './world.ts';

const rounds = 30;

/** Maximum times, as multiples of the time in which Node runs an empty program. */
const limits: Readonly<Record<string, number>> = {
  'cb --version': 1.15,
  'cb --help': 1.3,
  'cb orders list --help': 1.3,
  'cb orders list': 3.8,
  'cb --sandbox orders list': 5.5,
};

/** A home with one profile. */
function storeProfile(home: string, baseUrl: string): void {
  const folder = join(home, '.config/clickbank-cli');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stored = { current: 'shop', profiles: { shop: { baseUrl, key: 'API-BENCHMARK' } } };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(stored), { mode: 0o600 });
}

function commandsIn(world: World): (readonly [string, Omit<Command, 'usage'>])[] {
  const env = { HOME: world.folder };
  const cb = (...args: string[]) => ({ ...cbCommand(world, args), env });
  // The status of the last page of a day ends the list.
  const { startDate, endDate } = periodOf(pagesADay);
  const page = ['--start-date', startDate, '--end-date', endDate, '--page', String(pagesADay)];
  const list = ['orders', 'list'];
  return [
    ['node -e 0', { file: process.execPath, args: ['-e', '0'], env }],
    ['cb --version', cb('--version')],
    ['cb --help', cb('--help')],
    ['cb orders list --help', cb(...list, '--help')],
    ['cb orders list', cb(...list, ...page)],
    ['cb --sandbox orders list', cb('--sandbox', 'orders', 'list', '--limit', '100')],
  ];
}

async function medianStarts(
  commands: readonly (readonly [string, Omit<Command, 'usage'>])[],
): Promise<Start[]> {
  const entrants = commands.map(([key, command]) => ({
    key,
    run: () => measure({ ...command, usage: 'none' }, 20_000),
  }));
  const taken = await alternate(entrants, { rounds, until: Number.POSITIVE_INFINITY });
  return [...taken].map(([says, measured]) => ({
    says,
    milliseconds: (medianOf(measured, 'seconds') as number) * 1000,
  }));
}

function verdictsOn(starts: readonly Start[]): Verdict[] {
  const node = starts[0]?.milliseconds ?? Number.NaN;
  return starts.flatMap(({ says, milliseconds }) => {
    const limit = limits[says];
    if (limit === undefined) return [];
    const ratio = milliseconds / node;
    return [
      { says: `${says}: time over that of Node, at most ${limit}`, ratio, isMet: ratio <= limit },
    ];
  });
}

async function main(): Promise<void> {
  const world = await openWorld();
  try {
    storeProfile(world.folder, world.origin(0));
    const commands = commandsIn(world);
    // The first call on the sandbox seeds its orders.
    for (const [, command] of commands) await measure({ ...command, usage: 'none' }, 120_000);
    const starts = await medianStarts(commands);
    console.log(startText(starts));
    console.log(verdictText(verdictsOn(starts)));
  } finally {
    world.close();
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
