/** The commands of a group follow from the catalogue, and their output flags from what they show. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandNode } from '../../../src/cli/completion/tree.ts';
import { addEndpoints } from '../../../src/cli/endpoint/endpoint-command.ts';
import { newCommand } from '../../../src/cli/runtime/command.ts';
import { exitCodes } from '../../../src/cli/runtime/exit-codes.ts';
import { catalogue } from '../../../src/operations/index.ts';
import { countReply, list, operation, text } from '../../../src/operations/operation.ts';
import * as field from '../../../src/operations/resource.ts';
import { home, sandboxHome, world } from '../../support/cb.ts';
import { refusalOf } from '../../support/refusal.ts';
import { serve } from '../../support/server.ts';
import { leaves } from '../../support/tree.ts';

/** The output flags of a command, by their names. */
function outputFlags({ flags }: CommandNode): string[] {
  const shown = flags.filter(({ group }) => group === 'How to show it:');
  return shown.map(({ names }) => names.join());
}

test('every operation is a command, and its command is named nowhere but in the catalogue', () => {
  const paths = leaves.map(({ path }) => path);
  const words = catalogue.map(({ command }) => command.replace(/ --.*/, ''));
  expect(words.filter((command) => !paths.includes(command))).toEqual([]);
});

test('an operation that is added runs as a command without being named again', async () => {
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
    const group = newCommand(context, 'parcels');
    addEndpoints(group, { context, code: exitCodes.ok }, operations, {
      groups: { open: 'Open parcels' },
      variants: 'Version',
    });
    await group.parseAsync(argv, { from: 'user' });
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
const columns = ['--bom', '--crlf', '--delimiter', '--text-ids', '--spread', '--no-header'];
const ownRows = ['--fields', '--sort', '--query', '--expand', '--limit', '--out', ...columns];
const rows = ownRows.toSpliced(ownRows.indexOf('--out') + 1, 0, '--raw');
const paged = [...rows, '--page', '--concurrency', '--max-pages', '--resume'];
const dated = [...paged, '--since-last', '--append'];

/** What each kind of answer is shown with; `list` is every list that is not paged. */
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

const special: Readonly<Record<string, readonly string[]>> = {
  'orders list': dated,
  'tickets list': dated,
  'ship list': dated,
  'orders watch': ['--fields', '--expand', '--limit', ...columns],
  'quickstats list': [...rows, '--totals', '--chart'],
  'quickstats count': [...rows, '--totals', '--chart'],
  'analytics dimension': withTotals(paged),
  'analytics summary': withTotals(paged),
  'analytics trends': [...paged, '--chart'],
  'tickets refund': body,
  'profiles list': ownRows,
  'config list': ownRows,
  doctor: ownRows,
};

function withTotals(flags: readonly string[]): readonly string[] {
  return [...flags.toSpliced(flags.indexOf('--page'), 0, '--totals'), '--chart'];
}

test.each(leaves.map((node) => [node.path, node] as const))(
  'cb %s offers the output flags that fit what it shows',
  (path, node) => {
    const operations = catalogue.filter(({ command }) => command.replace(/ --.*/, '') === path);
    const kind = operations[0]?.returns.kind;
    const expected = special[path] ?? (kind && byKind[kind]);
    const offered = outputFlags(node);
    expect(expected ?? [[], value].find(({ length }) => length === offered.length)).toEqual(
      offered,
    );
  },
);

const offering = leaves.filter((node) => outputFlags(node).includes('--raw'));
const reading = catalogue.filter(
  ({ method, command }) =>
    method === 'GET' && offering.some(({ path }) => path === command.replace(/ --.*/, '')),
);

test('what prints a body of the service prints it as received with --raw, and is XML with -o xml', async () => {
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
])('cb %s prints the answers as received', async (line, out) => {
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
])('cb %s is refused as an unknown option', async (line) => {
  expect(await refusalOf(`--sandbox ${line}`)).toContain('unknown option');
});

test.each([
  '--skip-invalid',
  '--results out.csv',
  '--journal done.jsonl',
  '--concurrency 2',
  '--delimiter ;',
])('tickets create refuses %s without --from before it sends anything', async (flag) => {
  const create = 'tickets create DIGITAL1 --type tech --reason ticket.type.tech_support.1 --yes';
  expect(await refusalOf(`${create} ${flag}`)).toContain(
    `${flag.split(' ')[0]} requires --from with a CSV file.`,
  );
});

test.each(['', '-o json', '-o csv'])(
  'tickets create --from takes --delimiter with %j',
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
])('cb %s is refused with -o xml before anything is sent', async (line) => {
  await refusalOf(`${line} -o xml`);
});
