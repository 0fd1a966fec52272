/** Streams and output files of the built program: closed streams, full disks, readers that leave, named pipes, links. */
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { binary, emptyHome, shell } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { linesOf } from '../../support/lines.ts';
import { expectExit } from '../../support/refusal.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { tier } from '../../support/tier.ts';

/** More than a pipe holds. */
const rows = Array.from({ length: 600 }, (_, i) => ({
  receipt: `A${i}`,
  fullName: 'x'.repeat(200),
}));
const orders = JSON.stringify({ orderData: rows });
const orderList = 'orders list --period today --max-wait 0';
const list = `cb ${orderList}`;

function service(answer = orders) {
  return serve((reply) => reply.end(answer));
}

test.each(tier(['csv', 'xml'], ['csv', 'json', 'table', 'xml']))(
  'ends without a message and with exit code 0 if the reader leaves after the first line of %s',
  async (format) => {
    const { env } = await service(
      format === 'xml'
        ? `<l>${'<orderData><receipt>A</receipt></orderData>\n'.repeat(4000)}</l>`
        : orders,
    );
    const line = `${list} -o ${format} | head -n 1 > first; echo "\${PIPESTATUS[0]}"`;
    const home = emptyHome();
    expect(await shell(line, { home, env }).ended()).toEqual({ code: 0, out: '0\n', err: '' });
    expect(readFileSync(join(home, 'first'), 'utf8')).not.toBe('');
  },
);

test.each(['completion bash', 'orders list --help', '--version', 'doctor'])(
  'ends cb %s without a message and with exit code 0 if the reader reads nothing',
  async (line) => {
    const { code, out, err } = await shell(`cb ${line} | true; echo "\${PIPESTATUS[0]}"`).ended();
    expect({ code, out, err }).toEqual({ code: 0, out: '0\n', err: '' });
  },
);

test.each([
  ['ship notice import rows.csv --carrier USPS --date 2026-03-18', /\(PARCEL0[12]\): unknown/],
  ['tickets comment 1001 1003 --comment Hi', /1 of 2 done, 0 refused or failed, 1 unknown/],
  ['tickets create --from rows.csv --type cncl --reason 7 --dry-run', /one-time sale/],
])('reports the outcome of the writes of cb %s even if the reader has left', async (line, says) => {
  const { sandbox, env } = await serveSandbox();
  sandbox.setFaults('503=#1,only=POST,only=PUT');
  const home = emptyHome();
  writeFileSync(join(home, 'rows.csv'), 'receipt,item\nPARCEL01,\nPARCEL02,GLOVES\n');
  const command = `cb ${line} --verify-wait 0s --yes | true; echo "\${PIPESTATUS[0]}"`;
  const { out, err } = await shell(command, { home, env }).ended();
  expect({ out, err }).toEqual({
    out: line.includes('dry-run') ? '10\n' : '8\n',
    err: expect.stringMatching(says),
  });
});

test('continues when the reader of stderr closes', async () => {
  const { env } = await service();
  const line = `set -o pipefail; ${list} --debug -o csv 2>&1 >all.csv | true`;
  const home = emptyHome();
  expect((await shell(line, { home, env }).ended()).code).toBe(0);
  expect(readFileSync(join(home, 'all.csv'), 'utf8').split('\n')).toHaveLength(rows.length + 2);
});

test('ignores SIGPIPE from other processes', async () => {
  const { env } = await serve((reply, number) => {
    if (number === 1) reply.writeHead(206).end(orders);
    else setTimeout(() => reply.end('{"orderData":{"receipt":"LAST"}}'), 300);
  });
  const line = `'${process.execPath}' "$CB" orders list --period today -o csv --debug > all.csv & p=$!; while [ ! -s all.csv ]; do sleep 0.01; done; kill -PIPE $p; wait $p`;
  const home = emptyHome();
  const { code } = await shell(line, { home, env: { ...env, CB: binary } }).ended();
  expect(code).toBe(0);
  expect(readFileSync(join(home, 'all.csv'), 'utf8').split('\n')).toHaveLength(rows.length + 3);
});

/** Command lines with their exit codes when all streams are open. */
const lines = [
  ['orders count --period today', 0],
  ['orders count --period someday', 2],
  ['orders reinstate A1', 10],
  ['orders list --period today -o json', 0],
  ['orders list --help', 0],
  ['--version', 0],
  ['login --with-key --no-check --profile shop', 3],
] as const;

const closings = ['<&-', '>&-', '2>&-', '>&- 2>&-', '<&- >&- 2>&-'];

/** `npm test` closes other streams for each line. */
function closingsFor(line: string): readonly string[] {
  const at = lines.findIndex(([one]) => one === line) % closings.length;
  return tier(closings.slice(at, at + 1), closings);
}

test.each(lines)(
  'ends cb %s with exit code %i whichever of its streams is closed',
  async (line, code) => {
    const { env } = await service(line.includes('count') ? '7' : 'null');
    for (const closed of closingsFor(line)) {
      const { code: got, out, err } = await shell(`cb ${line} ${closed}`, { env }).ended();
      expect({ closed, got }).toEqual({ closed, got: code });
      if (closed.includes('2>&-')) expect(err).toBe('');
      if (closed.includes(' >&-') || closed.startsWith('>&-')) expect(out).toBe('');
    }
  },
);

test.each<readonly [line: string, code: number]>([
  ['orders list --period today -o csv', 8],
  ['completion zsh', 8],
  ['orders list --help', 8],
  ['orders count --period someday', 2],
  ...tier([], [['orders count --period today', 8] as const, ['--version', 8] as const]),
])('ends cb %s with stdout on a full disk with exit code %i', async (line, code) => {
  const { env } = await service(line.includes('count') ? '7' : 'null');
  const ran = await shell(`cb ${line} > /dev/full`, { env }).ended();
  expectExit(ran, code, code === 8 ? '(ENOSPC' : '');
  expect(linesOf(ran.err).length).toBeLessThanOrEqual(2);
});

test.each(lines.slice(0, tier(1, 3)))(
  'ends cb %s with stderr on a full disk with exit code %i',
  async (line, code) => {
    const { env } = await service(line.includes('count') ? '7' : 'null');
    expect(await shell(`cb ${line} --debug 2> /dev/full`, { env }).ended()).toMatchObject({ code });
  },
);

test("records a request of cb api as done if its response can't be written", async () => {
  const { env } = await service();
  const line = 'cb api PUT /1.3/tickets/1001 -f action=close --yes > /dev/full; cb log -o csv';
  const { out } = await shell(line, { home: emptyHome(), env }).ended();
  expect(out).toMatch(/,api,PUT [^,]+,done,/);
});

test('writes to a named pipe with --out and does not replace it', async () => {
  const home = emptyHome();
  const { env } = await service();
  const run = (line: string) => shell(line, { home, env }).ended();
  const written = `${list} -o csv --out pipe; echo "code $?"; wait`;
  expect((await run(`mkfifo pipe; cat pipe > got & ${written}`)).out).toBe('code 0\n');
  expect(readFileSync(join(home, 'got'), 'utf8').split('\n')).toHaveLength(rows.length + 2);
  expect(lstatSync(join(home, 'pipe')).isFIFO()).toBe(true);
  const gone = await run(`head -n 1 pipe > got & ${written}`);
  expect(gone).toEqual({ code: 0, out: 'code 0\n', err: '' });
  expectExit(await run(`${list} -o csv --out pipe --resume`), 2, '--resume');
});

test('writes to a device with --out and does not replace it', async () => {
  const { cb } = home();
  const { env } = await service();
  for (const flags of ['-o csv', '-o json', '--raw', '-o csv --query @']) {
    expect((await cb(`${orderList} ${flags} --out /dev/null`, { env })).code).toBe(0);
    expectExit(await cb(`${orderList} ${flags} --out /dev/full`, { env }), 8, 'ENOSPC');
  }
  expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true);
  expect(readdirSync('/dev').filter((name) => name.includes('.part'))).toEqual([]);
});

test('writes to stdout with --out /dev/stdout', async () => {
  const home = emptyHome();
  const { env } = await service('7');
  const count = 'cb orders count --period today --out /dev/stdout';
  expect((await shell(count, { home, env }).ended()).out).toBe('7\n');
  await shell(`echo before > file; ${count} >> file`, { home, env }).ended();
  expect(readFileSync(join(home, 'file'), 'utf8')).toBe('before\n7\n');
  expect(lstatSync('/dev/stdout').isSymbolicLink()).toBe(true);
});

test('follows a symbolic link with --out and keeps the link', async () => {
  const { cb, folder } = home();
  const { env } = await service();
  mkdirSync(join(folder, 'share'));
  writeFileSync(join(folder, 'share/orders.csv'), 'of yesterday\n');
  symlinkSync('share/orders.csv', join(folder, 'orders.csv'));
  for (const flags of ['', '--resume', '--query @']) {
    writeFileSync(join(folder, 'share/orders.csv'), 'of yesterday\n');
    const ran = await cb(`${orderList} --out orders.csv ${flags}`, { env });
    expect(ran).toEqual({ code: 0, out: '', err: '' });
    const text = readFileSync(join(folder, 'share/orders.csv'), 'utf8');
    expect(text.split('\n')).toHaveLength(rows.length + 2);
    expect(readlinkSync(join(folder, 'orders.csv'))).toBe('share/orders.csv');
    expect(readdirSync(join(folder, 'share'))).toEqual(['orders.csv']);
  }
});

test('rejects a file name that it cannot write before sending anything, and accepts the longest', async () => {
  const { cb, folder } = home();
  const { env, asked } = await service('7');
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('loop', join(folder, 'loop'));
  for (const [line, name, why] of [
    [`${orderList} -o csv`, 'folder', ': it is a folder'],
    ['orders get A1', 'folder', ': it is a folder'],
    ['orders count', 'missing/x.csv', ': the folder does not exist'],
    ['orders count', 'file/x.csv', ': a part of the path is not a folder'],
    [`${orderList} -o csv`, 'file/x.csv', ': a part of the path is not a folder'],
    [`${orderList} -o csv`, `${'x'.repeat(300)}.csv`, ' (ENAMETOOLONG)'],
    [`${orderList} -o csv`, 'loop', ' (ELOOP)'],
  ] as const) {
    const err = `cb: --out ${join(folder, name)} can't be written${why}.\n`;
    expect(await cb(`${line} --out ${name}`, { env })).toEqual({ code: 2, out: '', err });
  }
  expect(asked).toEqual([]);
  const longest = `${'x'.repeat(251)}.csv`;
  const ran = await cb(`orders count --period today --out ${longest}`, { env });
  expect(ran).toEqual({ code: 0, out: '', err: '' });
  expect(readFileSync(join(folder, longest), 'utf8')).toContain('7');
});
