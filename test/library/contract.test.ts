/**
 * The contract of the package in this version of Node, or in those that CB_TEST_NODES names, as the smoke test of the
 * package does for each version that is supported.
 */
import { delimiter, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { now } from '../support/cb.ts';
import { serve, serveSecurely } from '../support/server.ts';
import type { Service } from './contract-program.ts';
import { project, runNode } from './package.ts';

const nodes = process.env.CB_TEST_NODES?.split(delimiter) ?? [process.execPath];

test.each(nodes)('keeps the contract in %s', async (node) => {
  const folder = project({});
  await build({
    ...{ entryPoints: ['test/library/contract-program.ts'], outfile: join(folder, 'program.mjs') },
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'es2023', logLevel: 'silent' },
    plugins: [packaged],
  });
  const args = ['program.mjs', await startHost()];
  const { stdout, stderr } = await runNode(args, { node, cwd: folder });
  expect(stderr).toBe('');
  const lines = stdout.trim().split('\n');
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([]);
  expect(lines.length).toBeGreaterThan(10);
});

/** Imports the package in place of its source. */
const packaged: Plugin = {
  name: 'packaged',
  setup({ onResolve }) {
    onResolve({ filter: /library\/index\.ts$/ }, () => ({ path: 'clickbank-cli', external: true }));
  },
};

const order =
  '<orderData><receipt>DIGITAL1</receipt><totalOrderAmount>12.10</totalOrderAmount><trackingId>007</trackingId></orderData>';

/** Returns the URL of the server, which the program gets. */
async function startHost(): Promise<string> {
  const sandbox = await startSandbox({ orders: 350, now });
  onTestFinished(() => sandbox.close());
  const { baseUrl, apiKeys } = sandbox;
  const xml = await serve((reply) => {
    reply.setHeader('content-type', 'application/xml');
    reply.end(`<?xml version="1.0"?><orderDataList>${order}</orderDataList>`);
  });
  let received = 0;
  const untrusted = await serveSecurely((_, reply) => {
    received += 1;
    reply.end('null');
  });
  const service: Service = {
    ...{ baseUrl, xmlUrl: xml.url, apiKeys, untrustedUrl: untrusted.url },
    ...{ now: now.getTime(), deadUrl: 'http://127.0.0.1:1' },
  };
  let known = 0;
  const answers: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    '/service': () => service,
    '/faults': (query) => sandbox.setFaults(query.get('list') || undefined) ?? null,
    '/untrusted': () => received,
    '/requests': () => {
      const fresh = sandbox.requests.slice(known);
      known = sandbox.requests.length;
      return fresh;
    },
  };
  const control = await serve((reply, _, asked) => {
    const { pathname, searchParams } = new URL(asked.url, 'http://127.0.0.1');
    reply.end(JSON.stringify(answers[pathname]?.(searchParams) ?? null));
  });
  return control.url;
}
