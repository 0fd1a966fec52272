import { execFile, execFileSync, spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import dns, { lookup } from 'node:dns';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http, { createServer } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Agent, fetch as undiciFetch, request as undiciRequest } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// Reserved for documentation (RFC 5737, RFC 3849, RFC 2606), so nothing is reached if the guard fails.
const outside = '192.0.2.1';
const outside6 = '2001:db8::1';
const outsideName = 'example.invalid';
const blocked = { code: 'ENOTLOOPBACK' };

/** Undici's fetch nests the reason in `cause`. */
const reasonOf = (error: unknown) => (error as Error).cause ?? error;

async function errorOf(emitter: NodeJS.EventEmitter): Promise<unknown> {
  const [error] = await once(emitter, 'error');
  return error;
}

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no rejection',
    (error: unknown) => reasonOf(error),
  );

describe('a test cannot reach beyond loopback', () => {
  test.each([outside, outside6, outsideName])('by net to %s', async (host) => {
    expect(await errorOf(net.connect(443, host))).toMatchObject(blocked);
    expect(await errorOf(net.connect({ port: 443, host }))).toMatchObject(blocked);
    expect(await errorOf(new net.Socket().connect(443, host))).toMatchObject(blocked);
  });

  test.each([outside, outsideName])('by http and https to %s', async (host) => {
    expect(await errorOf(http.get(`http://${host}/`))).toMatchObject(blocked);
    expect(await errorOf(https.get(`https://${host}/`))).toMatchObject(blocked);
  });

  test.each([`http://${outside}/`, `https://${outsideName}/`])('by fetch to %s', async (url) => {
    expect(await rejection(fetch(url))).toMatchObject(blocked);
    expect(await rejection(undiciFetch(url))).toMatchObject(blocked);
    expect(await rejection(undiciRequest(url))).toMatchObject(blocked);
  });

  test('by its own lookup of an external address', async () => {
    const strayLookup = ((_host, _options, callback) =>
      callback(null, [{ address: outside, family: 4 }])) as net.LookupFunction;
    const socket = net.connect({ port: 443, host: 'localhost', lookup: strayLookup });
    expect(await errorOf(socket)).toMatchObject(blocked);
    const dispatcher = new Agent({ connect: { lookup: strayLookup } });
    const url = 'http://localhost/';
    expect(await rejection(undiciRequest(url, { dispatcher }))).toMatchObject(blocked);
    await dispatcher.close();
  });

  test('by resolving a name', async () => {
    const name = outsideName;
    expect(await rejection(promisify(lookup)(name))).toMatchObject(blocked);
    expect(await rejection(dns.promises.lookup(name))).toMatchObject(blocked);
    expect(await rejection(promisify(dns.resolve4)(name))).toMatchObject(blocked);
    expect(await rejection(dns.promises.resolve(name, 'TXT'))).toMatchObject(blocked);
    expect(await rejection(dns.promises.reverse(outside))).toMatchObject(blocked);
    expect(await rejection(dns.promises.lookupService(outside, 443))).toMatchObject(blocked);
    expect(await rejection(new dns.promises.Resolver().resolveMx(name))).toMatchObject(blocked);
    const resolver = new dns.Resolver();
    expect(await rejection(promisify(resolver.resolve.bind(resolver))(name))).toMatchObject(
      blocked,
    );
  });

  test('by a datagram', () => {
    const socket = dgram.createSocket('udp4');
    expect(() => socket.send('hello', 53, outside)).toThrow(expect.objectContaining(blocked));
    expect(() => socket.send('hello', 0, 5, 53, outsideName)).toThrow(
      expect.objectContaining(blocked),
    );
    expect(() => socket.connect(53, outside)).toThrow(expect.objectContaining(blocked));
    expect(() => socket.addMembership('233.252.0.1')).toThrow(expect.objectContaining(blocked));
    socket.close();
  });
});

describe('a program that a test starts cannot reach beyond loopback', () => {
  const script = `require('node:net').connect(443, '${outside}').on('error', (e) => console.log(e.code))`;
  const args = ['-e', script];
  const bare = { PATH: process.env.PATH ?? '' };

  test('with the environment of the test', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout.trim()).toBe(blocked.code);
  });

  test('with its own environment', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: bare });
    expect(stdout.trim()).toBe(blocked.code);
    const options = { env: { ...bare, NODE_OPTIONS: '--no-warnings' }, encoding: 'utf8' } as const;
    expect(spawnSync(process.execPath, args, options).stdout.trim()).toBe(blocked.code);
    expect(execFileSync(process.execPath, args, options).trim()).toBe(blocked.code);
  });

  test('when the program starts another one', async () => {
    const outer = `console.log(require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(script)}], { env: {} }).toString())`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', outer], { env: bare });
    expect(stdout.trim()).toBe(blocked.code);
  });
});

describe('local connections work', () => {
  const server = createServer((_request, response) => response.end('here'));
  const folder = mkdtempSync(join(tmpdir(), 'cb-loopback-'));
  const pipe = join(folder, 'socket');
  const pipeServer = net.createServer((socket) => socket.end('here'));
  let port = 0;

  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await once(pipeServer.listen(pipe), 'listening');
    port = (server.address() as AddressInfo).port;
  });

  afterAll(() => {
    server.close();
    pipeServer.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(['127.0.0.1', 'localhost'])('by fetch from %s', async (host) => {
    expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('here');
    expect(await (await undiciRequest(`http://${host}:${port}/`)).body.text()).toBe('here');
  });

  test('by a socket in the file system', async () => {
    const [chunk] = await once(net.connect(pipe), 'data');
    expect(String(chunk)).toBe('here');
  });

  test('by looking up localhost', async () => {
    expect((await dns.promises.lookup('localhost')).address).toMatch(/^(127\.|::1)/);
  });
});
