/** `cb sandbox faults`, and the output of cb when the sandbox fails on demand. */
import { expect, test } from 'vitest';
import { cb as binary, emptyHome } from '../../support/binary.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const list = '--sandbox orders list --period last-7-days -o json --max-wait 0';
const faultsOf = ({ out }: { readonly out: string }) => JSON.parse(out) as unknown;

test('shows, sets, counts, and clears faults', async () => {
  const { cb } = await sandboxHome(300);
  const show = async () => faultsOf(await cb('sandbox faults -o json'));
  const status = async () => faultsOf(await cb('sandbox status -o json'));
  expect(await show()).toEqual({ faults: null, requests: 0, took: [] });
  expect(await status()).toMatchObject({ faults: null });
  expect(await cb("sandbox faults 'only=GET, 503=#2'")).toEqual({
    code: 0,
    out: '',
    err: 'The sandbox simulates faults: only=GET,503=#2. Stop with cb sandbox faults off.\n',
  });
  expect(await cb(list)).toMatchObject({ code: 5, out: '', err: expect.stringContaining('503') });
  expect(await show()).toEqual({
    faults: 'only=GET,503=#2',
    requests: 1,
    took: [{ fault: '503=#2', times: 1 }],
  });
  expect(await status()).toMatchObject({ faults: 'only=GET,503=#2' });
  expect(await cb('sandbox faults off')).toEqual({
    code: 0,
    out: '',
    err: 'The sandbox simulates no faults.\n',
  });
  expect(await cb(list)).toMatchObject({ code: 0 });
});

test('shows faults as a table', async () => {
  const { cb } = await sandboxHome(300);
  await cb('sandbox faults latency=1ms,garbage=#2');
  const { code, out } = await cb('sandbox faults -o table', { columns: 80 });
  expect(code).toBe(0);
  expect(out).toMatch(/Requests.* 0\n/);
  expect(out).toMatch(/latency=1ms +0\n *garbage=#2 +0\n/);
});

test.each([
  ["sandbox faults '503=10%,cut=5%'", /<list>: 'cut=5%' is not a fault\. Use one of .*cut-before/],
  ['sandbox faults 503=often', /<list>: '503=often' has an invalid frequency/],
  ['sandbox faults on', /<list>: 'on' is not a fault\. Use a form such as 503=10%/],
  ['sandbox faults null-row=yes', /Use null-row=on\./],
  ['sandbox start --faults only=POST', /--faults: 'only=POST' contains no fault/],
])('rejects cb %s with exit code 2', async (line, says) => {
  const { cb } = await sandboxHome(300);
  expect(await cb(line)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(says) });
  expect(faultsOf(await cb('sandbox faults -o json'))).toMatchObject({ faults: null });
});

test.each([
  ['503=100%', 5],
  ['500=100%', 5],
  ['429=100%:7', 7],
  ['403=100%', 4],
  ['garbage=100%', 5],
  ['truncate=100%', 6],
  ['cut-before=100%', 6],
  ['cut-after=100%', 6],
  ['refuse=100%', 6],
  ['403=0/s', 4],
])('ends a list with %s with exit code %i and no output', async (faults, code) => {
  const { cb } = await sandboxHome(300);
  await cb(`sandbox faults ${faults}`);
  expect(await cb(list)).toMatchObject({ code, out: '' });
});

test('returns the same rows after a temporary fault', async () => {
  const { cb } = await sandboxHome(300);
  const { out } = await cb(list);
  for (const fault of ['503=#1', '429=#1:0', 'cut-after=#1', 'truncate=#1']) {
    await cb(`sandbox faults ${fault}`);
    const ran = await cb(list.replace('--max-wait 0', ''), { clock: virtualClock() });
    expect(ran, fault).toMatchObject({ code: 0, out });
  }
});

test.each(['slow-body=1b/s', 'latency=600s'])(
  'ends with exit code 6 after --timeout with %s',
  async (fault) => {
    const { cb } = await sandboxHome(60);
    await cb(`sandbox faults ${fault}`);
    const { code, err } = await cb(`${list} --timeout 0.2`);
    expect(code).toBe(6);
    expect(err).toContain('--timeout');
  },
);

/** A sandbox on the real clock, which other processes also use. */
async function machineHome() {
  const folder = emptyHome();
  const user = home(folder);
  const cb = (line: string) => user.cb(line, { now: () => new Date() });
  expect(await cb('sandbox seed --orders 60')).toMatchObject({ code: 0 });
  return { folder, cb };
}

test('serves other programs with cb sandbox start until it is ended, with faults of its own', async () => {
  const at = await machineHome();
  const args = ['sandbox', 'start', '--faults', '503=#1', '--key', 'read-only'];
  const server = binary(args, { home: at.folder });
  const said = await server.until(/The sandbox is running/);
  const env = Object.fromEntries(
    [...said.matchAll(/^(CB_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  const count = 'orders count --period this-year --max-wait 0';
  expect((await at.cb(`--sandbox ${count}`)).code).toBe(0);
  expect((await home().cb(count, { env })).code).toBe(5);
  const counted = await home().cb(count, { env });
  expect(counted).toEqual({ code: 0, out: expect.stringMatching(/^[1-9]\d*\n$/), err: '' });
  server.child.kill('SIGTERM');
  expect((await server.ended()).code).toBe(143);
});
