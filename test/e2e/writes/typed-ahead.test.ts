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

test.skipIf(!hasTerminals)(
  'a yes and Enter typed with the command do not refund the order (needs script)',
  async () => {
    const { running, writes } = await terminal(refund, 'y\r');
    await running.until(/\(y\/N\)/);
    running.type('\r');
    const { out } = await running.ended();
    expect(out).toContain('code 10');
    expect(writes()).toEqual([]);
  },
);

test.skipIf(!hasTerminals)(
  'a yes after the question refunds the order (needs script)',
  async () => {
    const { running, writes } = await terminal(refund, 'n\r');
    await running.until(/\(y\/N\)/);
    running.type('y\r');
    const { out } = await running.ended();
    expect(out).toContain('code 0');
    expect(writes().map(({ path }) => path)).toEqual([
      expect.stringContaining('/rest/1.3/tickets/DIGITAL1?type=rfnd'),
    ]);
  },
);

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
