/** Commands are generated from the catalogue; their output options depend on what they print. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endpointCommands } from '../../../src/features/mirror/endpoint-command.ts';
import { catalogue } from '../../../src/operations/index.ts';
import { countReply, list, operation, text } from '../../../src/operations/operation.ts';
import * as field from '../../../src/operations/resource.ts';
import { Branch } from '../../../src/shell/define.ts';
import { exitCodes } from '../../../src/shell/exit-codes.ts';
import type { CommandNode } from '../../../src/shell/help/description.ts';
import { parseLine } from '../../../src/shell/parse.ts';
import { home, sandboxHome, world } from '../../support/cb.ts';
import { refusalOf } from '../../support/refusal.ts';
import { serve } from '../../support/server.ts';
import { leaves } from '../../support/tree.ts';

/** Names of the output options of a command. */
function outputFlags({ flags }: CommandNode): string[] {
  const shown = flags.filter(({ group }) => group === 'Output:');
  return shown.map(({ names }) => names.join());
}

test('creates a command for every operation in the catalogue', () => {
  const paths = leaves.map(({ path }) => path);
  const words = catalogue.map(({ command }) => command.replace(/ --.*/, ''));
  expect(words.filter((command) => !paths.includes(command))).toEqual([]);
});

test('runs a new operation of the catalogue as a command without further code', async () => {
  const invented = {
    method: 'GET',
    roles: ['api_order_read'],
    params: { site: text('Site') },
    examples: [],
  } as const;
  const parcel = field.resource('parcel', ['id'], { id: field.text });
  const operations = [
    operation({
      ...invented,
      path: '/1.3/parcels/list',
      command: 'parcels open list',
      summary: 'List parcels',
      returns: list(parcel),
    }),
    ...['1', '2'].map((version) =>
      operation({
        ...invented,
        path: `/1.${version}/parcels/count`,
        command: `parcels count --version ${version}`,
        summary: 'Count parcels',
        returns: countReply,
      }),
    ),
  ];
  const server = await serve((reply, _, { url }) =>
    reply.end(url.includes('count') ? '7' : '{"parcel":{"id":"P1"}}'),
  );
  const run = async (...argv: string[]) => {
    const { context, stdout } = world(home().folder, { env: server.env });
    const commands = endpointCommands(operations, {
      groups: { open: 'Open parcels' },
      variants: 'Version',
    });
    const group = new Branch({ words: 'parcels', commands });
    await parseLine(argv, group, { context, code: exitCodes.ok });
    return [stdout.text, server.asked.at(-1)?.url];
  };
  expect(await run('open', 'list', '--site', 'A')).toEqual([
    'id\nP1\n',
    '/rest/1.3/parcels/list?site=A',
  ]);
  expect(await run('count')).toEqual(['7\n', '/rest/1.2/parcels/count']);
  expect(await run('count', '--version', '1')).toEqual(['7\n', '/rest/1.1/parcels/count']);
});

const value = ['--out'];
const body = ['--out', '--raw'];
const columns = [
  ...['--bom', '--crlf', '--delimiter', '--text-ids', '--dates', '--spread', '--no-header'],
];
const ownRows = ['--fields', '--sort', '--query', '--expand', '--limit', '--out', ...columns];
const rows = ownRows.toSpliced(ownRows.indexOf('--out') + 1, 0, '--raw');
const paged = [...rows, '--page', '--concurrency', '--max-pages', '--resume'];
const dated = [...paged, '--since-last', '--append'];

/** The output options of each kind of reply; `list` is a list without pages. */
const byKind: Readonly<Record<string, readonly string[]>> = {
  nothing: value,
  answer: value,
  count: body,
  text: body,
  schema: body,
  one: body,
  list: rows,
  pages: paged,
};

/** Rows that are shown as they arise. */
const live = ['--fields', '--expand', '--limit', ...columns];

const special: Readonly<Record<string, readonly string[]>> = {
  'orders list': [...dated, '--layout'],
  'orders get': [...rows, '--full'],
  'tickets list': dated,
  'ship list': dated,
  'orders watch': live,
  'quickstats list': [...rows, '--totals', '--chart'],
  'quickstats count': [...rows, '--totals', '--chart'],
  'analytics dimension': withTotals(paged),
  'analytics summary': withTotals(paged),
  'analytics trends': [...paged, '--chart'],
  'tickets refund': body,
  summary: [...ownRows, '--totals'],
  today: [...ownRows, '--totals'],
  check: ownRows,
  'alias list': ownRows,
  'replies list': ownRows,
  approve: ownRows,
  log: ownRows,
  'mcp log': ownRows,
  'ins listen': live,
  'ins resend': live,
  'ins list': ownRows,
  'ins reconcile': ownRows,
  'ins decrypt': ownRows,
  'ins verify': ownRows,
  'ins secrets list': ownRows,
  'profiles list': ownRows,
  'config list': ownRows,
  doctor: ownRows,
  sync: ownRows,
  sql: ownRows,
  metrics: [...ownRows, '--chart'],
  'sync status': ownRows,
  'sync check': ownRows,
  'sandbox ins list': ownRows,
  'sandbox ins log': ownRows,
};

function withTotals(flags: readonly string[]): readonly string[] {
  return [...flags.toSpliced(flags.indexOf('--page'), 0, '--totals'), '--chart'];
}

test.each(leaves.map((node) => [node.path, node] as const))(
  'offers exactly the output options that apply to the results of cb %s',
  (path, node) => {
    const operations = catalogue.filter(({ command }) => command.replace(/ --.*/, '') === path);
    const kind = operations[0]?.returns.kind;
    const expected = special[path] ?? (kind && byKind[kind]);
    const offered = outputFlags(node);
    const fitting = expected ?? [[], value].find(({ length }) => length === offered.length);
    expect(fitting?.toSorted()).toEqual(offered.toSorted());
  },
);

const offering = leaves.filter((node) => outputFlags(node).includes('--raw'));
const reading = catalogue.filter(
  ({ method, command }) =>
    method === 'GET' && offering.some(({ path }) => path === command.replace(/ --.*/, '')),
);

test('prints responses as received with --raw and as XML with -o xml', async () => {
  const { cb } = await sandboxHome(60);
  for (const { returns, examples } of reading) {
    const [example = ''] = examples;
    const line = `--sandbox ${example.replace(/^cb /, '').replace(/ -o \w+/, '')}`;
    const raw = await cb(`${line} --raw`);
    expect(raw, example).toMatchObject({ code: 0, err: expect.not.stringContaining('cb:') });
    const isText = returns.kind === 'count' || returns.kind === 'schema';
    if (!isText) expect(JSON.parse(raw.out.split('\n')[0] ?? ''), example).toBeDefined();
    const xml = await cb(`${line} -o xml`);
    expect([example, xml.code, xml.out]).toEqual([example, 0, expect.stringMatching(/^(<|\d+\n)/)]);
  }
});

test.each([
  ['tickets close 1001 --yes --raw', /^\{.*"CLOSED"/],
  ['tickets close 1001 --yes -o xml', /^<.*CLOSED/s],
  ['tickets comment 1001 1003 --comment Hi --yes --raw', /^\{.*\}\n\{.*\}\n$/],
])('prints the responses of cb %s as received', async (line, out) => {
  const { cb } = await sandboxHome(60);
  expect(await cb(`--sandbox ${line}`)).toMatchObject({ code: 0, out: expect.stringMatching(out) });
});

test.each([
  'orders active MONTHLY1 --raw',
  'whoami --raw',
  'doctor --raw',
  'orders reinstate CANCEL01 --yes --raw',
  'quickstats list --since-last daily',
  'analytics trends --since-last daily',
])('rejects an option that the command does not have: cb %s', async (line) => {
  expect(await refusalOf(`--sandbox ${line}`)).toMatch(/' has no --(raw|since-last)\./);
});

test.each([
  '--skip-invalid',
  '--results out.csv',
  '--journal done.jsonl',
  '--concurrency 2',
  '--delimiter ;',
])('rejects %s without --from in cb tickets create before sending anything', async (flag) => {
  const create = 'tickets create DIGITAL1 --type tech --reason ticket.type.tech_support.1 --yes';
  expect(await refusalOf(`${create} ${flag}`)).toContain(
    `${flag.split(' ')[0]} requires --from with a CSV file.`,
  );
});

test.each(['', '-o json', '-o csv'])(
  'accepts --delimiter with cb tickets create --from %j',
  async (format) => {
    const { cb, folder } = await sandboxHome(60);
    writeFileSync(join(folder, 'in.csv'), 'receipt;type\nDIGITAL1;tech\n');
    const line = `tickets create --from in.csv --delimiter ; --reason ticket.type.tech_support.1 ${format}`;
    const { code, out, err } = await cb(`--sandbox ${line} --dry-run`);
    expect({ code, out }, err).toEqual({ code: 0, out: expect.stringContaining('DIGITAL1') });
  },
);

test.each([
  'orders active MONTHLY1',
  'whoami',
  'doctor',
  'sandbox status',
  'orders reinstate CANCEL01 --yes',
  'tickets close 1001 1003 --yes',
])('rejects cb %s with -o xml before sending anything', async (line) => {
  await refusalOf(`${line} -o xml`);
});
