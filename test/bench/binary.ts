/** `npm run bench:binary`: the CPU time of the executable until it has answered, over that of the Node inside it. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { benchmark, printTable, printVerdicts, ratio } from './runner.ts';

const rounds = 15;
const startsPerRound = 4;
const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const node = pathOf('dist/binary/node');
const executable = pathOf('dist/binary/cb');
const npmForm = `${node} ${pathOf('bin/cb.js')}`;

/** Each with its maximum, as a multiple of the time of an empty program. */
const lines: Readonly<Record<string, readonly [line: string, atMost?: number]>> = {
  'node -e 0': [`${node} -e 0`],
  'cb --version': [`${executable} --version`, 1.2],
  'cb orders list --help': [`${executable} orders list --help`, 1.4],
  'npm form, cb --version': [`${npmForm} --version`],
  'npm form, cb orders list --help': [`${npmForm} orders list --help`],
};

/** Returns milliseconds of one start, user plus system, as the shell counts those of its children. */
function measure(line: string, HOME: string): number {
  const script = `for ((n = 0; n < ${startsPerRound}; n++)); do ${line} >/dev/null; done; times`;
  const text = execFileSync('bash', ['-c', script], { env: { HOME }, encoding: 'utf8' });
  const [, children = ''] = text.trim().split('\n');
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  const seconds = parts.map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest));
  return (seconds.reduce((sum, one) => sum + one, 0) * 1000) / startsPerRound;
}

await benchmark(async ({ folder }) => {
  const taken = new Map(Object.keys(lines).map((says) => [says, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [...taken] : [...taken].reverse();
    for (const [says, times] of order) times.push(measure(lines[says]?.[0] ?? '', folder));
  }
  const medians = [...taken].map(([says, times]) => {
    return [says, times.sort((one, other) => one - other)[rounds >> 1]] as const;
  });
  const base = medians[0]?.[1];
  const rows = medians.map(([says, figure]) => [
    says,
    figure?.toFixed(0) ?? '',
    ratio(figure, base),
  ]);
  printTable('CPU time of a start', ['', 'ms', 'x node'], rows);
  printVerdicts(
    medians.flatMap(([says, figure]) => {
      const atMost = lines[says]?.[1];
      return atMost === undefined ? [] : [{ says, figure, base, atMost }];
    }),
  );
});
