/**
 * `npm run bench:notifications`: how many notifications a second the sandbox sends to a receiver that answers at once,
 * and whether its memory grows with their number.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox } from '../../src/sandbox/http/server.ts';

/** Of the service that a vendor with many sales needs. */
const wanted = 200;
const days = 29 * 86_400;

let received = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    received += 1;
    response.end();
  });
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as AddressInfo;

const sandbox = await startSandbox({ file: ':memory:', seed: { orders: 20_000 } });
sandbox.notifications.add({ url: `http://127.0.0.1:${port}/`, version: 8 });
// Collects the events of a month, to send them with those of the next one.
sandbox.notifications.setFaults('delay=100%:30d');
await sandbox.advance(days);
sandbox.notifications.setFaults(undefined);

for (let month = 1; month <= 3; month += 1) {
  const before = received;
  const start = performance.now();
  await sandbox.advance(days);
  const count = received - before;
  const rate = Math.round((count * 1000) / (performance.now() - start));
  const heap = Math.round(process.memoryUsage().heapUsed / 2 ** 20);
  console.log(`month ${month}: ${count} notifications, ${rate} a second, ${heap} MiB heap`);
  if (rate < wanted) process.exitCode = 1;
}
await sandbox.close();
server.close();
server.closeAllConnections();
