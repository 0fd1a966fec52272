/** Keys that were typed before a question is on the screen do not answer it, at a real terminal. */
import { expect, test } from 'vitest';
import { emptyHome } from '../../support/binary.ts';
import { hasTerminals, onTerminal } from '../../support/pty.ts';
import { serveSandbox } from '../../support/sandbox.ts';

const refund = 'tickets create DIGITAL1 --type rfnd --reason duplicate --refund-type full';

async function terminal(line: string, keys: string) {
  const { sandbox, env, writes } = await serveSandbox({ keyName: 'vendor' });
  // The keys arrive while the order is read.
  sandbox.setFaults('latency=500ms,only=GET');
  const running = onTerminal(`cb ${line}`, { home: emptyHome(), env });
  while (sandbox.requests.length === 0) await new Promise((done) => setTimeout(done, 10));
  running.type(keys);
  return { running, writes };
}

test.skipIf(!hasTerminals).each([
  ['a yes and Enter typed with the command do not refund the order', 'y\r', '\r', 10],
  ['a yes after the question refunds the order', 'n\r', 'y\r', 0],
])('%s (needs script)', async (_, before, after, code) => {
  const { running, writes } = await terminal(refund, before);
  await running.until(/\(y\/N\)/);
  running.type(after);
  const { out } = await running.ended();
  expect(out).toContain(`code ${code}`);
  const sent = expect.stringContaining('/rest/1.3/tickets/DIGITAL1?type=rfnd');
  expect(writes().map(({ path }) => path)).toEqual(code === 0 ? [sent] : []);
});

test.skipIf(!hasTerminals)(
  'Enter at every question of the wizard refunds nothing (needs script)',
  async () => {
    const { running, writes } = await terminal('tickets refund DIGITAL1', '\r\r\r\r\r\r\r\r\r');
    let isOver = false;
    const ended = running.ended().then((ran) => {
      isOver = true;
      return ran;
    });
    while (!isOver) {
      running.type('\r');
      await new Promise((done) => setTimeout(done, 50));
    }
    const { out } = await ended;
    expect(out).toContain('Nothing was sent');
    expect(writes()).toEqual([]);
  },
);
