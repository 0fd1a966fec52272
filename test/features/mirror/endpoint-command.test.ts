/** Commands are generated from the catalogue. docs/reference.md has the output options of each, which depend on what it prints. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endpointCommands } from '../../../src/features/mirror/endpoint-command.ts';
import { catalogue } from '../../../src/operations/index.ts';
import { countReply, list, operation, text } from '../../../src/operations/operation.ts';
import * as field from '../../../src/operations/resource.ts';
import { Branch } from '../../../src/shell/define.ts';
import { exitCodes } from '../../../src/shell/failure.ts';
import { parseLine } from '../../../src/shell/parse.ts';
import { home, sandboxHome, world } from '../../support/cb.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { leaves } from '../../support/tree.ts';

test('runs a new operation of the catalogue as a command without further code', async () => {
  const invented = {
    ...({ method: 'GET', roles: ['api_order_read'], examples: [] } as const),
    params: { site: text('Site') },
  };
  const parcel = field.resource('parcel', ['id'], { id: field.text });
  const operations = [
    operation({
      ...{ ...invented, path: '/1.3/parcels/list', returns: list(parcel) },
      ...{ command: 'parcels open list', summary: 'List parcels' },
    }),
    ...['1', '2'].map((version) =>
      operation({
        ...{ ...invented, path: `/1.${version}/parcels/count`, returns: countReply },
        ...{ command: `parcels count --version ${version}`, summary: 'Count parcels' },
      }),
    ),
  ];
  const server = await serve((reply, _, { url }) =>
    reply.end(url.includes('count') ? '7' : '{"parcel":{"id":"P1"}}'),
  );
  const run = async (...argv: string[]) => {
    const { context, stdout } = world(home().folder, { env: server.env });
    const words = { groups: { open: 'Open parcels' }, variants: 'Version' };
    const commands = endpointCommands(operations, words);
    const group = new Branch({ words: 'parcels', commands });
    await parseLine(argv, group, { context, code: exitCodes.ok });
    return [stdout.text, server.asked.at(-1)?.url];
  };
  const listed = ['id\nP1\n', '/rest/1.3/parcels/list?site=A'];
  expect(await run('open', 'list', '--site', 'A')).toEqual(listed);
  expect(await run('count')).toEqual(['7\n', '/rest/1.2/parcels/count']);
  expect(await run('count', '--version', '1')).toEqual(['7\n', '/rest/1.1/parcels/count']);
});

const offering = leaves.filter(({ flags }) => flags.some(({ names }) => names.includes('--raw')));
const reading = catalogue.filter(
  ({ method, command }) =>
    method === 'GET' && offering.some(({ path }) => path === command.replace(/ --.*/, '')),
);

test('prints responses as received with --raw and as XML with -o xml', async () => {
  const { env } = await serveSandbox();
  const { cb } = home();
  for (const { returns, examples } of reading) {
    const [example = ''] = examples;
    const line = example.replace(/^cb /, '').replace(/ -o \w+/, '');
    const raw = await cb(`${line} --raw`, { env });
    expect(raw, example).toMatchObject({ code: 0, err: expect.not.stringContaining('cb:') });
    const isText = returns.kind === 'count' || returns.kind === 'schema';
    if (!isText) expect(JSON.parse(raw.out.split('\n')[0] ?? ''), example).toBeDefined();
    const xml = await cb(`${line} -o xml`, { env });
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

test.each(['', '-o json', '-o csv'])('accepts --delimiter of an input with %j', async (format) => {
  const { cb, folder } = await sandboxHome(60);
  writeFileSync(join(folder, 'in.csv'), 'receipt;type\nDIGITAL1;tech\n');
  const line = `tickets create --from in.csv --delimiter ; --reason ticket.type.tech_support.1 ${format}`;
  const { code, out, err } = await cb(`--sandbox ${line} --dry-run`);
  expect({ code, out }, err).toEqual({ code: 0, out: expect.stringContaining('DIGITAL1') });
});
