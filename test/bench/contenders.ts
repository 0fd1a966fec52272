/** The contenders that export orders: cb in its formats, and alternatives. */
import { fileURLToPath } from 'node:url';
import { orders } from '../../src/operations/orders.ts';
import type { Command } from './child.ts';
import {
  cbList,
  environment,
  isInstalled,
  type Latency,
  listUrl,
  type Task,
  type World,
} from './world.ts';

export interface Contender {
  readonly name: string;
  readonly says: string;
  /** Enough pages to measure the rate at a latency. */
  readonly pages: Readonly<Record<Latency, number>>;
  /** Programs that must be on the PATH. */
  readonly needs?: readonly string[];
  /** It writes no rows. */
  readonly silent?: boolean;
  command(world: World, task: Task): Command;
}

/** Prefetching needs time to reach its rate; sequential requests reach it soon. */
const manyPages = { 0: 1000, 50: 400, 200: 400 };

const script = fileURLToPath(new URL('programs/curl-jq.sh', import.meta.url));
const columns = JSON.stringify(Object.keys(orders.list.returns.resource.fields));

const formats = ['csv', 'tsv', 'ndjson', 'json'].map(
  (format): Contender => ({
    name: format,
    says: `cb -o ${format}`,
    pages: manyPages,
    command: (world, task) => cbList(world, task, ['-o', format]),
  }),
);

export const contenders: readonly Contender[] = [
  ...formats,
  {
    name: 'file',
    says: 'cb --out orders.csv',
    pages: manyPages,
    command: (world, task) => cbList(world, task, [], 'orders.csv'),
  },
  {
    name: 'xml',
    says: 'cb -o csv --wire xml',
    pages: { ...manyPages, 0: 100 },
    command: (world, task) => cbList(world, task, ['-o', 'csv', '--wire', 'xml']),
  },
  {
    name: 'loop',
    says: 'undici in a loop',
    pages: { 0: 1000, 50: 80, 200: 40 },
    command: (world, task) => ({
      file: process.execPath,
      args: [world.program('loop'), listUrl(world, task)],
      env: environment(world),
      usage: 'json',
    }),
  },
  {
    name: 'curl',
    says: 'curl | jq in a loop',
    pages: { 0: 60, 50: 40, 200: 20 },
    needs: ['bash', 'curl', 'jq'],
    command: (world, task) => ({
      file: 'bash',
      args: [script, listUrl(world, task), String(task.pages), columns],
      env: environment(world),
      usage: 'times',
    }),
  },
  {
    name: 'limit',
    says: 'server alone, 8 at once',
    pages: manyPages,
    silent: true,
    command: (world, task) => ({
      file: process.execPath,
      args: [world.program('limit'), listUrl(world, task), String(task.pages)],
      env: environment(world),
      usage: 'json',
    }),
  },
];

/** The baseline of all others. */
export const yardstick = 'loop';

/** The required programs that are missing on the PATH. */
export function missing({ needs = [] }: Contender): readonly string[] {
  return needs.filter((program) => !isInstalled(program));
}
