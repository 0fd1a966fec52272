/** How long cb takes to start, beside Node itself. */
import { type Command, measure } from './child.ts';
import { alternate, medianOf } from './rounds.ts';
import { cbCommand, cbList, environment, type World } from './world.ts';

/** Medians. */
export interface Start {
  readonly says: string;
  readonly milliseconds: number;
}

const timeout = 20_000;

/** The first is Node, doing nothing. */
export async function measureStarts(world: World, rounds: number): Promise<Start[]> {
  const node = { file: process.execPath, args: ['-e', '0'], env: environment(world) };
  const commands: readonly (readonly [string, Omit<Command, 'usage'>])[] = [
    ['node -e 0', node],
    ['cb --version', cbCommand(world, ['--version'])],
    ['cb orders list --help', cbCommand(world, ['orders', 'list', '--help'])],
    ['cb orders list, 10 pages', cbList(world, { latency: 0, pages: 10 }, ['-o', 'csv'])],
  ];
  return medianStarts(commands, rounds);
}

/** Each command as it is called, and what it runs. */
export async function medianStarts(
  commands: readonly (readonly [string, Omit<Command, 'usage'>])[],
  rounds: number,
): Promise<Start[]> {
  const entrants = commands.map(([key, command]) => ({
    key,
    run: () => measure({ ...command, usage: 'none' }, timeout),
  }));
  const taken = await alternate(entrants, { rounds, until: Number.POSITIVE_INFINITY });
  return [...taken].map(([says, measured]) => ({
    says,
    milliseconds: (medianOf(measured, 'seconds') as number) * 1000,
  }));
}
