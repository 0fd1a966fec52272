/** Who holds a lock, where /proc shows the processes of another namespace. */
import { expect, test } from 'vitest';
import { identityOf, livenessOf, type Processes } from '../../src/storage/lock-owner.ts';

const here: Processes = { own: process.pid, isRunning: () => true };

/** In a container that sees the /proc of its host, /proc/self has another ID than the process itself. */
const inContainer: Processes = { own: process.pid + 100_000, isRunning: () => true };

test.runIf(process.platform === 'linux')('knows when its own process started', () => {
  expect(identityOf(here).start).toMatch(/^\d+$/);
});

test('takes nothing from a /proc that shows other processes', () => {
  expect(identityOf(inContainer).start).toBeUndefined();
  // In the other namespace, another process has this ID, which began at another time.
  const owner = { ...identityOf(inContainer), pid: process.pid, start: '1' };
  expect(livenessOf(owner, inContainer)).toBe('running');
});
