/**
 * Serves the orders of the benchmarks, with a port for each delay. Arguments: delays in milliseconds, separated by commas,
 * and the first and last day with orders. Prints `{"<delay>": "<URL>"}` when it is ready and ends when stdin closes, so
 * that it never outlives the benchmark.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openService } from '../service.ts';

process.stdin.on('end', () => process.exit()).resume();
const [delays = '0', firstDay, lastDay] = process.argv.slice(2);
const service = await openService(firstDay, lastDay);
const urls: Record<string, string> = {};
for (const delay of delays.split(',')) {
  const server = createServer(async ({ url = '', headers }, response) => {
    if (delay !== '0') await sleep(Number(delay));
    const { status, type, body } = service(url, headers);
    const length = Buffer.byteLength(body);
    response.writeHead(status, { 'content-type': type, 'content-length': length }).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  urls[delay] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
process.stdout.write(`${JSON.stringify(urls)}\n`);
