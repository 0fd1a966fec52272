import { execFile, execFileSync, spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { promisify } from 'node:util';
import { Agent, fetch as undiciFetch, request as undiciRequest } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';

// Reserved for documentation (RFC 5737, RFC 3849, RFC 2606), so nothing is reached if the guard fails.
const outside = '192.0.2.1';
const outside6 = '2001:db8::1';
const outsideName = 'example.invalid';
const blocked = { code: 'ENOTLOOPBACK' };

/** What ends a connection or a promise with an error. Undici's fetch nests the reason in `cause`. */
async function failure(attempt: NodeJS.EventEmitter | Promise<unknown>): Promise<unknown> {
  try {
    if (attempt instanceof Promise) return await attempt;
    const [error] = await once(attempt, 'error');
    return error;
  } catch (error) {
    return (error as Error).cause ?? error;
  }
}

describe('a test cannot reach beyond loopback', () => {
  const resolver = new dns.Resolver();
  /** A custom lookup that returns an external address. */
  const lookup: net.LookupFunction = (_host, _options, callback) =>
    callback(null, [{ address: outside, family: 4 }]);
  const dispatcher = new Agent({ connect: { lookup } });

  test.each([
    ...[outside, outside6, outsideName].flatMap((host) => [
      () => net.connect(443, host),
      () => net.connect({ port: 443, host }),
      () => new net.Socket().connect(443, host),
    ]),
    () => http.get(`http://${outside}/`),
    () => https.get(`https://${outsideName}/`),
    () => fetch(`http://${outsideName}/`),
    () => undiciFetch(`https://${outside}/`),
    () => undiciRequest(`http://${outsideName}/`),
    () => promisify(dns.lookup)(outsideName),
    () => dns.promises.lookup(outsideName),
    () => promisify(dns.resolve4)(outsideName),
    () => dns.promises.resolve(outsideName, 'TXT'),
    () => dns.promises.reverse(outside),
    () => dns.promises.lookupService(outside, 443),
    () => new dns.promises.Resolver().resolveMx(outsideName),
    () => promisify(resolver.resolve.bind(resolver))(outsideName),
    () => net.connect({ port: 443, host: 'localhost', lookup }),
    () => undiciRequest('http://localhost/', { dispatcher }),
  ])('by a connection, a request, or the lookup of a name: %s', async (attempt) => {
    expect(await failure(attempt())).toMatchObject(blocked);
  });

  test('by a datagram', () => {
    const socket = dgram.createSocket('udp4');
    onTestFinished(() => void socket.close());
    for (const attempt of [
      () => socket.send('hello', 53, outside),
      () => socket.send('hello', 0, 5, 53, outsideName),
      () => socket.connect(53, outside),
      () => socket.addMembership('233.252.0.1'),
    ]) {
      expect(attempt).toThrow(expect.objectContaining(blocked));
    }
  });
});

test('a program that a test starts cannot reach beyond loopback', async () => {
  const script = `require('node:net').connect(443, '${outside}').on('error', (e) => console.log(e.code))`;
  const outer = `console.log(require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(script)}], { env: {} }).toString())`;
  const run = promisify(execFile);
  const bare = { PATH: process.env.PATH ?? '' };
  const options = { env: { ...bare, NODE_OPTIONS: '--no-warnings' }, encoding: 'utf8' } as const;
  const printed = [
    (await run(process.execPath, ['-e', script])).stdout,
    spawnSync(process.execPath, ['-e', script], options).stdout,
    execFileSync(process.execPath, ['-e', script], options),
    // The program starts another one.
    (await run(process.execPath, ['-e', outer], { env: bare })).stdout,
  ];
  expect(printed.map((text) => text.trim())).toEqual(Array(4).fill(blocked.code));
});
