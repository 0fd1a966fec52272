/**
 * The contract of the package in a version of Node: this one, or the one that CB_TEST_NODE names, as the smoke test of the
 * package does for each version that is supported.
 */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { now } from '../support/cb.ts';
import { cert, key } from '../support/certificate.ts';
import type { Service } from './contract-program.ts';
import { project } from './package.ts';

test('keeps the contract in this version of Node', async () => {
  const folder = project({});
  await build({
    ...{ entryPoints: ['test/library/contract-program.ts'], outfile: join(folder, 'program.mjs') },
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'es2023', logLevel: 'silent' },
    plugins: [packaged],
  });
  const node = process.env.CB_TEST_NODE ?? process.execPath;
  const { NODE_OPTIONS = '' } = process.env;
  const { stdout, stderr } = await promisify(execFile)(node, ['program.mjs', await startHost()], {
    cwd: folder,
    env: { NODE_OPTIONS },
  });
  expect(stderr).toBe('');
  const lines = stdout.trim().split('\n');
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([]);
  expect(lines.length).toBeGreaterThan(12);
});

/** Imports the package in place of its source. */
const packaged: Plugin = {
  name: 'packaged',
  setup({ onResolve }) {
    onResolve({ filter: /library\/index\.ts$/ }, () => ({ path: 'clickbank-cli', external: true }));
  },
};

/** Returns the URL of the server, which the program gets; both are stopped when the test ends. */
async function startHost(): Promise<string> {
  const sandbox = await startSandbox({ orders: 350, now });
  const { baseUrl, apiKeys } = sandbox;
  const xmlUrl = await serveXml();
  const untrusted = await serveUntrusted();
  const service: Service = {
    ...{ baseUrl, xmlUrl, apiKeys, untrustedUrl: untrusted.url },
    ...{ now: now.getTime(), deadUrl: await unusedUrl() },
  };
  let known = 0;
  const answers: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    '/service': () => service,
    '/faults': (query) => sandbox.setFaults(query.get('list') || undefined) ?? null,
    '/untrusted': untrusted.requests,
    '/requests': () => {
      const fresh = sandbox.requests.slice(known);
      known = sandbox.requests.length;
      return fresh;
    },
  };
  const server = createServer((request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    reply.end(JSON.stringify(answers[pathname]?.(searchParams) ?? null));
  });
  const control = await listen(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await sandbox.close();
  });
  return control;
}

const order =
  '<orderData><receipt>DIGITAL1</receipt><totalOrderAmount>12.10</totalOrderAmount><trackingId>007</trackingId></orderData>';

async function serveXml(): Promise<string> {
  const server = createServer((_, reply) => {
    reply.setHeader('content-type', 'application/xml');
    reply.end(`<?xml version="1.0"?><orderDataList>${order}</orderDataList>`);
  });
  onTestFinished(() => void server.close().closeAllConnections());
  return listen(server);
}

/** A server with a self-signed certificate, and the number of requests that it received. */
async function serveUntrusted() {
  let received = 0;
  const server = createSecureServer({ key, cert }, (_, reply) => {
    received += 1;
    reply.end('null');
  });
  onTestFinished(() => void server.close().closeAllConnections());
  const url = (await listen(server)).replace('http:', 'https:');
  return { url, requests: () => received };
}

async function unusedUrl(): Promise<string> {
  const server = createSocketServer();
  const url = await listen(server);
  await new Promise((done) => server.close(done));
  return url;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
