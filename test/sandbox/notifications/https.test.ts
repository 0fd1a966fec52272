/** Receivers behind TLS. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { cb, emptyHome } from '../../support/binary.ts';
import { cert } from '../../support/certificate.ts';
import { serveSecurely } from '../../support/server.ts';
import { decrypted, SECRET } from './receiver.ts';

/** A receiver behind TLS, and a home whose sandbox tells it of its events. */
async function world() {
  const bodies: string[] = [];
  const { url } = await serveSecurely(async (request, response) => {
    bodies.push(await text(request));
    response.end();
  });
  const home = emptyHome();
  const run = (line: string, env = {}) => cb(line.split(' '), { home, env }).ended();
  await run('sandbox seed --orders 60');
  await run(`sandbox ins add ${url} --secret ${SECRET}`);
  return { bodies, home, run };
}

test.each([
  ['by default', {}],
  ['if Node is told to trust all', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
])('sends nothing to a receiver whose certificate is not trusted, %s', async (_, env) => {
  const { run, bodies } = await world();
  expect(await run('sandbox ins test', env)).toMatchObject({
    code: 6,
    err: expect.stringContaining('not delivered (DEPTH_ZERO_SELF_SIGNED_CERT)'),
  });
  expect(bodies).toEqual([]);
});

test('sends to a receiver whose certificate NODE_EXTRA_CA_CERTS makes trusted', async () => {
  const { run, bodies, home } = await world();
  const file = join(home, 'ca.pem');
  writeFileSync(file, cert);
  expect((await run('sandbox ins test', { NODE_EXTRA_CA_CERTS: file })).code).toBe(0);
  expect(JSON.parse(decrypted(bodies[0] ?? ''))).toMatchObject({ transactionType: 'TEST' });
});
