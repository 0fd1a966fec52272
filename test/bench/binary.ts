/** `npm run bench:binary`: the CPU time of the executable until it has answered, over that of the Node inside it. */
import { fileURLToPath } from 'node:url';
import { benchmark, measure, printTable, printVerdicts, ratio, runRounds } from './runner.ts';

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

await benchmark(async ({ folder }) => {
  const tasks = Object.entries(lines).map(([says, [line]]) => {
    const script = `for ((n = 0; n < ${startsPerRound}; n++)); do ${line} >/dev/null; done; times >&3`;
    const command = { file: 'bash', args: ['-c', script], env: { HOME: folder }, isBare: true };
    return [says, () => measure(command)] as const;
  });
  const medians = [...(await runRounds(new Map(tasks), rounds))].map(([says, { cpuSeconds }]) => {
    return { says, figure: (1000 * (cpuSeconds ?? Number.NaN)) / startsPerRound };
  });
  const base = medians[0]?.figure;
  const rows = medians.map(({ says, figure }) => [says, figure.toFixed(0), ratio(figure, base)]);
  printTable('CPU time of a start', ['', 'ms', 'x node'], rows);
  printVerdicts(
    medians.flatMap(({ says, figure }) => {
      const atMost = lines[says]?.[1];
      return atMost === undefined ? [] : [{ says, figure, base, atMost }];
    }),
  );
});
