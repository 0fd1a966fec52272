/** Receivers behind TLS. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cb, emptyHome } from '../../support/binary.ts';
import { cert, key } from '../../support/certificate.ts';
import { decrypted, SECRET } from './receiver.ts';

async function secureReceiver() {
  const bodies: string[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      bodies.push(body);
      response.end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, bodies };
}

async function home() {
  const home = emptyHome();
  const run = (line: string, env = {}) => cb(line.split(' '), { home, env }).ended();
  await run('sandbox seed --orders 60');
  return run;
}

test.each([
  ['by default', {}],
  ['if Node is told to trust all', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
])('sends nothing to a receiver whose certificate is not trusted, %s', async (_, env) => {
  const run = await home();
  const { url, bodies } = await secureReceiver();
  await run(`sandbox ins add ${url} --secret ${SECRET}`);
  expect(await run('sandbox ins test', env)).toMatchObject({
    code: 6,
    err: expect.stringContaining('not delivered (DEPTH_ZERO_SELF_SIGNED_CERT)'),
  });
  expect(bodies).toEqual([]);
});

test('sends to a receiver whose certificate NODE_EXTRA_CA_CERTS makes trusted', async () => {
  const run = await home();
  const { url, bodies } = await secureReceiver();
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-ca-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'ca.pem');
  writeFileSync(file, cert);
  await run(`sandbox ins add ${url} --secret ${SECRET}`);
  expect((await run('sandbox ins test', { NODE_EXTRA_CA_CERTS: file })).code).toBe(0);
  expect(JSON.parse(decrypted(bodies[0] ?? ''))).toMatchObject({ transactionType: 'TEST' });
});
