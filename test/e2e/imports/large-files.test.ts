/** Files that are too large, cut off, or ambiguous: nothing is sent, and memory and signals stay as they are. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { run } from '../../../src/run.ts';
import { cb, emptyHome } from '../../support/binary.ts';
import { home, sandboxHome, world } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';

const refund = '--type rfnd --reason ticket.type.refund.2 --refund-type FULL';

function receipts(count: number): string {
  return Array.from({ length: count }, (_, i) => `R${String(i).padStart(7, '0')}\n`).join('');
}

test('a file of a million rows is refused within 64 MB of memory, as a day has 25,000 requests', async () => {
  const folder = emptyHome();
  writeFileSync(join(folder, 'million.csv'), `receipt\n${receipts(1_000_000)}`);
  const service = await serve((reply) => reply.end('{}'));
  const args = `tickets create --from million.csv ${refund} --dry-run`.split(' ');
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --max-old-space-size=64`;
  const ran = await cb(args, { home: folder, env: { ...service.env, NODE_OPTIONS } }).ended();
  expect(ran).toMatchObject({ code: 2, out: '' });
  expect(ran.err).toContain('more than 25,000 rows, but ClickBank allows 25,000 requests a day');
  expect(service.asked).toEqual([]);
});

test('says how many days an import takes that needs more than the requests of a day', async () => {
  const { cb, folder } = home();
  writeFileSync(join(folder, 'many.csv'), `receipt\n${receipts(12_501)}`);
  // A rejected key ends the checks at once.
  const service = await serve((reply) => reply.writeHead(401).end());
  const line = 'ship notice import many.csv --carrier USPS --date today --dry-run --max-wait 0';
  const { code, err } = await cb(line, { env: service.env });
  expect(code).toBe(3);
  expect(err).toContain(
    'note: 12,501 rows need at least 25,002 requests, but ClickBank allows 25,000 requests a day: they take at least 2 days.',
  );
});

test('stops reading rows at a signal', async () => {
  const stop = new AbortController();
  let given = 0;
  async function* endless() {
    yield 'receipt\n';
    for (; given < 20_000; given += 100) {
      if (given === 1000) stop.abort();
      yield receipts(100);
      await new Promise(setImmediate);
    }
  }
  const { context } = world(home().folder, { signal: stop.signal });
  const stdin = Readable.from(endless(), { objectMode: false });
  const args = `tickets create --from - ${refund} --dry-run --allow-duplicate`.split(' ');
  const code = await run(args, { ...context, stdin });
  expect(code).toBe(130);
  expect(given).toBeLessThan(2000);
});

test('stops checking rows at a signal', async () => {
  const stop = new AbortController();
  async function* invalid() {
    yield `receipt\n${'..\n'.repeat(20_000)}`;
    setImmediate(() => stop.abort());
  }
  const { context, stderr } = world(home().folder, { signal: stop.signal });
  const stdin = Readable.from(invalid(), { objectMode: false });
  const args = `tickets create --from - ${refund} --dry-run`.split(' ');
  expect(await run(args, { ...context, stdin })).toBe(130);
  expect(stderr.text).not.toContain('Line ');
});

test.each([
  ['receipt,tracking,receipt', 'receipt', '1 and 3'],
  ['receipt,Receipt,tracking', 'receipt', '1 and 2'],
  ['receipt,Tracking,date,tracking', 'Tracking', '2 and 4'],
])('refuses a file with the columns %s, and sends nothing', async (header, name, positions) => {
  const { cb, folder } = home();
  const cells = header.split(',').map(() => 'PARCEL01');
  writeFileSync(join(folder, 'in.csv'), `${header}\n${cells}\n`);
  const service = await serve((reply) => reply.end('{}'));
  for (const mode of ['--dry-run', '--yes']) {
    const line = `ship notice import in.csv --carrier USPS --date today ${mode}`;
    const ran = await cb(line, { env: service.env });
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toContain(`The file has several columns named '${name}': ${positions}.`);
  }
  expect(service.asked.filter(({ method }) => method !== 'HEAD')).toEqual([]);
});

test('uses a column that occurs once beside several that are not used', async () => {
  const { cb, folder } = await sandboxHome(60);
  writeFileSync(join(folder, 'in.csv'), 'receipt,note,note,,\nPARCEL01,a,b,,\n');
  const line = '--sandbox ship notice import in.csv --carrier USPS --date today --dry-run';
  expect(await cb(line)).toMatchObject({ code: 0 });
});

test.each(['--dry-run', '--yes'])(
  'sends nothing with %s if the last line has no line end and its order does not exist',
  async (mode) => {
    const { cb, folder } = await sandboxHome(60);
    const file = join(folder, 'in.csv');
    const line = `--sandbox ship notice import in.csv --carrier USPS --date today ${mode}`;
    writeFileSync(file, 'receipt,tracking\nPARCEL01,T1\nPARCE,T2');
    const cut = await cb(line);
    expect(cut).toMatchObject({ code: 2, out: '' });
    expect(cut.err).toContain(
      'cb: Line 3, the last one, has no line end, and ClickBank shows no order PARCE: the file may be cut off. Nothing was sent.',
    );
    const { out } = await cb('--sandbox ship notice list PARCEL01 -o json');
    expect(out).not.toContain('T1');
    writeFileSync(file, 'receipt,tracking\nPARCEL01,T1\nPARCEL01,T2');
    expect(await cb(line)).toMatchObject({ code: 0 });
  },
);
