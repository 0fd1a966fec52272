/** Writes to broken servers are sent once and reported as done or unknown. */
import { expect, test } from 'vitest';
import { brokenServers, environment, whole } from '../../support/broken-servers.ts';
import { home } from '../../support/cb.ts';
import { serveRaw } from '../../support/server.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

/** An order that can be reinstated. */
const canceled =
  '{"orderData":{"receipt":"A1","transactionType":"SALE","lineItemData":{"itemNo":"1","recurring":"true","status":"CANCELED"}}}';

interface ExpectedOutcome {
  readonly does: string;
  readonly code: number;
  readonly says: RegExp;
}

const unknown = { code: 8, says: /outcome is unknown/ };

const outcomes: readonly ExpectedOutcome[] = [
  { does: 'never answers', ...unknown },
  { does: 'sends a length that is too large and closes the connection', ...unknown },
  { does: 'sends a body of 10 GB', ...unknown },
  { does: 'sends headers of 100 kB', ...unknown },
  { does: 'returns the status 999', code: 8, says: /is unknown: .*999/ },
  { does: 'returns 304', code: 8, says: /is unknown: .*304/ },
];

test.each(outcomes)(
  'sends a write once to a server that $does, and ends with exit code $code',
  async ({ does, code, says }) => {
    const broken = brokenServers.find((one) => one.does === does);
    if (!broken) throw new Error(`There is no broken server '${does}'.`);
    const { cb } = home();
    let brokenLeft = 0;
    const server = await serveRaw((socket, number, request) => {
      // The write, and the first read after it.
      if (request.startsWith('POST')) brokenLeft = 2;
      brokenLeft -= 1;
      if (brokenLeft >= 0) broken.answer(socket, number);
      else socket.write(whole(canceled));
    });
    // The read before the write must have time to succeed on a busy machine.
    const timeout = broken.within === undefined ? 15 : 2;
    const line = `orders reinstate A1 --yes --timeout ${timeout} --max-wait 0`;
    const ran = await cb(line, { env: environment(server), clock: virtualClock() });
    expect(ran).toMatchObject({ code, out: '' });
    expect(ran.err).toMatch(says);
    expect(server.asked.filter((first) => first.startsWith('POST'))).toHaveLength(1);
  },
);
