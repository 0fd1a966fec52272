/** Faults on demand over plain HTTP: responses, effects, and the log. */
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished } from 'vitest';
import { reseedSandbox, type Sandbox } from '../../../src/sandbox/http/server.ts';
import { ask, getJson, keyed, NOON, openSandbox, post, test } from '../raw.ts';
import { storeFile } from '../store/store-file.ts';

const LIST = '/rest/1.3/orders2/list';
const COUNT = '/rest/1.3/orders2/count';
const REINSTATE = '/rest/1.3/orders2/CANCEL01/reinstate';

const isActive = async (sandbox: Sandbox) =>
  (await ask(sandbox, 'HEAD', '/rest/1.3/orders2/CANCEL01')).status === 204;

/** The status, or the reason for its absence. */
async function outcomeOf(response: Promise<{ readonly status: number }>): Promise<string> {
  return response.then(
    ({ status }) => String(status),
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
}

async function outcomes(sandbox: Sandbox, count: number): Promise<string[]> {
  const all: string[] = [];
  for (let i = 0; i < count; i += 1) all.push(await outcomeOf(ask(sandbox, 'GET', COUNT)));
  return all;
}

test.each([
  ['cut-after', true, /socket hang up|ECONNRESET/],
  ['truncate', true, /socket hang up|ECONNRESET/],
  ['cut-before', false, /socket hang up/],
  ['refuse', false, /read ECONNRESET/],
])('drops the response of a write with %s, which is done: %s', async (fault, isDone, reason) => {
  const sandbox = await openSandbox({ faults: `only=POST,${fault}=#1` });
  await expect(post(sandbox, REINSTATE)).rejects.toThrow(reason);
  expect(await isActive(sandbox)).toBe(isDone);
  const done = isDone && { status: 204 };
  expect(sandbox.requests[0]).toEqual({ method: 'POST', path: REINSTATE, fault, ...done });
  expect((await post(sandbox, REINSTATE)).status).toBe(isDone ? 400 : 204);
});

test('returns a status before any effect, to as many of the next matching requests as #N says', async () => {
  const faults = '503=#2,429=#1:7,500=#1,only=POST';
  const sandbox = await openSandbox({ faults });
  expect(await isActive(sandbox)).toBe(false);
  const responses = [];
  for (const _ of [1, 2, 3, 4]) responses.push(await post(sandbox, REINSTATE));
  expect(responses[0]?.text).toBe('Service Unavailable');
  expect(responses.map(({ status }) => status)).toEqual([503, 503, 429, 500]);
  expect(responses.map(({ headers }) => headers['retry-after']).join()).toBe(',,7,');
  expect(await isActive(sandbox)).toBe(false);
  const struck = sandbox.requests.map(({ fault }) => fault);
  expect(struck).toEqual([undefined, '503', '503', '429', '500', undefined]);
  expect(sandbox.faults()).toEqual({
    ...{ faults, requests: 4 },
    took: [
      { fault: '503=#2', times: 2 },
      { fault: '429=#1:7', times: 1 },
      { fault: '500=#1', times: 1 },
    ],
  });
});

test('replaces the faults from the start when faults are set, and clears them', async () => {
  const sandbox = await openSandbox({ faults: '500=100%' });
  for (const _ of [1, 2]) {
    sandbox.setFaults('503=#1');
    expect(await outcomes(sandbox, 2)).toEqual(['503', '200']);
  }
  sandbox.setFaults(undefined);
  expect(sandbox.faults()).toEqual({ faults: null, requests: 0, took: [] });
});

const strikes = async (faults: string) => outcomes(await openSandbox({ faults }), 100);

test('selects the same requests for the same seed, others for another seed, regardless of other faults', async () => {
  const first = await strikes('503=30%,seed=7');
  expect(await strikes('503=30%,seed=7')).toEqual(first);
  expect(await strikes('503=30%,seed=8')).not.toEqual(first);
  const struck = (all: readonly string[]) =>
    all.flatMap((outcome, i) => (outcome === '503' ? [i] : []));
  expect(struck(first).length).toBeGreaterThan(20);
  expect(struck(first).length).toBeLessThan(40);
  const beside = await strikes('503=30%,500=20%,latency=0-1ms,seed=7');
  expect(struck(beside)).toEqual(struck(first));
});

test('continues one sequence across processes and restarts, until it is set or seeded again', async () => {
  const spec = '503=30%,429=#4';
  const whole = await strikes(spec);
  const file = storeFile();
  const [first, second] = [await openSandbox({ file }), await openSandbox({ file })];
  first.setFaults(spec);
  const mixed: string[] = [];
  for (let i = 0; i < 20; i += 1) {
    mixed.push(...(await outcomes(first, 1)), ...(await outcomes(second, 1)));
  }
  await first.close();
  await second.close();
  const last = await openSandbox({ file });
  mixed.push(...(await outcomes(last, 60)));
  expect(mixed).toEqual(whole);
  last.setFaults(spec);
  expect(await outcomes(last, 20)).toEqual(whole.slice(0, 20));
  await reseedSandbox({ file, now: () => NOON });
  expect(await outcomes(last, 5)).toEqual(Array(5).fill('200'));
});

test('rejects requests beyond the limit per second until time passes', async () => {
  const sandbox = await openSandbox({ faults: '403=3/s' });
  expect(await outcomes(sandbox, 5)).toEqual(['200', '200', '200', '403', '403']);
  await sandbox.advance(1);
  expect(await outcomes(sandbox, 4)).toEqual(['200', '200', '200', '403']);
});

test('truncates the body before its Content-Length', async ({ sandbox }) => {
  const whole = await getJson(sandbox, LIST);
  sandbox.setFaults('truncate=100%');
  const { got, announced, complete } = await readBroken(sandbox, LIST);
  expect(announced).toBe(whole.bytes.length);
  expect(complete).toBe(false);
  expect(got.length).toBe(Math.floor(whole.bytes.length / 2));
  expect(whole.bytes.subarray(0, got.length).equals(got)).toBe(true);
});

/** Calls `begin` when the first bytes arrive. */
function readBroken(sandbox: Sandbox, path: string, begin = () => {}) {
  const headers = { ...keyed(sandbox, 'full'), Accept: 'application/json' };
  return new Promise<{ got: Buffer; announced: number; complete: boolean }>((resolve, reject) => {
    const sent = request(`${sandbox.url}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.once('data', begin).on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => undefined);
      response.on('close', () =>
        resolve({
          got: Buffer.concat(chunks),
          announced: Number(response.headers['content-length']),
          complete: response.complete,
        }),
      );
    });
    sent.on('error', reject).end();
  });
}

test('sends garbage with the status and type of the response', async () => {
  const sandbox = await openSandbox({ faults: 'garbage=100%' });
  const response = await getJson(sandbox, LIST);
  expect([response.status, response.headers['content-type']]).toEqual([200, 'application/json']);
  expect(() => JSON.parse(response.text)).toThrow();
  expect(response.text.trim()).not.toMatch(/^</);
  const written = await post(sandbox, REINSTATE);
  expect([written.status, written.text]).toEqual([200, response.text]);
});

test('sends a slow body completely, compressed or not', async ({ sandbox }) => {
  const whole = await getJson(sandbox, LIST);
  sandbox.setFaults('slow-body=10mb/s');
  expect((await getJson(sandbox, LIST)).text).toBe(whole.text);
  const packed = await getJson(sandbox, LIST, { 'Accept-Encoding': 'gzip' });
  expect(gunzipSync(packed.bytes).toString()).toBe(whole.text);
  expect(sandbox.requests.at(-1)).toMatchObject({ status: 200, fault: 'slow-body' });
});

test('sends a slow body in small portions without delaying HEAD and shutdown', async () => {
  const sandbox = await openSandbox({ faults: 'slow-body=1b/s' });
  const head = await ask(sandbox, 'HEAD', LIST);
  expect([head.status, Number(head.headers['content-length']) > 1000]).toEqual([200, true]);
  let begin = () => {};
  const begun = new Promise<void>((done) => {
    begin = done;
  });
  const broken = readBroken(sandbox, '/rest/1.3/orders2/MONTHLY1', begin);
  await begun;
  await sandbox.close();
  const { got, announced, complete } = await broken;
  expect(complete).toBe(false);
  expect(got.length).toBeLessThan(announced);
});

test('drops delayed requests before any effect when the sandbox closes', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const file = storeFile();
  const sandbox = await openSandbox({ file, faults: 'latency=600s' });
  const waiting = Array.from({ length: 20 }, () => outcomeOf(post(sandbox, REINSTATE)));
  while (sandbox.faults().requests < 20) await new Promise((done) => setImmediate(done));
  await sandbox.close();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['ECONNRESET']));
  expect([sandbox.requests, warnings]).toEqual([[], []]);
  expect(await isActive(await openSandbox({ file }))).toBe(false);
});

test('combines latency with a terminating fault and logs both', async () => {
  const sandbox = await openSandbox({ faults: 'latency=1ms,latency=1-2ms,503=#1' });
  expect(await outcomes(sandbox, 2)).toEqual(['503', '200']);
  const faults = sandbox.requests.map(({ fault }) => fault);
  expect(faults).toEqual(['latency+latency+503', 'latency+latency']);
});

test('applies and counts no faults for rejected clients', async () => {
  const sandbox = await openSandbox({ faults: 'cut-after=#1' });
  for (const headers of [{ Host: 'evil.example' }, { Origin: 'https://evil.example' }]) {
    expect((await getJson(sandbox, LIST, headers)).status).toBe(403);
  }
  expect(sandbox.requests).toEqual([]);
  expect(await outcomes(sandbox, 2)).toEqual(['ECONNRESET', '200']);
});

test('keeps a refusal without effect when its response is lost', async () => {
  const sandbox = await openSandbox({ faults: 'cut-after=#1' });
  expect(await outcomeOf(getJson(sandbox, '/rest/1.3/nothing'))).toBe('ECONNRESET');
  expect(sandbox.requests[0]).toMatchObject({ status: 404, fault: 'cut-after' });
});

test('rejects invalid lists and names the invalid part', async ({ sandbox }) => {
  const whole = [
    ...['', '503', '503=', '503=10', '503=101%', '503=#0', '200=10%', '429=2%:soon'],
    ...['latency=fast', 'latency=300-50ms', 'slow-body=0kb/s', 'null-row=yes', 'only=POST,seed=3'],
  ];
  const parts = ['only=SOMETIMES', 'seed=x', ''];
  for (const [spec, part] of [
    ...whole.map((text) => [text, text] as const),
    ...parts.map((text) => [`500=1%,${text}`, text] as const),
    ['500=1%,cut=5%,503=1%', 'cut=5%'] as const,
  ]) {
    const message = expect.stringContaining(`'${part}' `);
    const named = expect.objectContaining({ name: 'BadFaults', message });
    expect(() => sandbox.setFaults(spec), spec).toThrow(named);
    expect(sandbox.faults().faults).toBe(null);
    await expect(openSandbox({ faults: spec }), spec).rejects.toThrow(named);
  }
});
