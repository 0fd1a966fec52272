/** Bundled by tests and run in a separate process: holds a lock repeatedly, or until it is killed. */
import { appendFileSync, statSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock } from '../../src/storage/lock.ts';
import { processesFrom } from '../../src/storage/lock-owner.ts';

const [path = '', mode = 'race'] = process.argv.slice(2);

const processes = processesFrom(process);
const print = (word: string) => writeSync(1, `${word}\n`);

/** While the lock is held, no other process may append to the file beside it. */
async function race(sections: string): Promise<void> {
  for (;;) {
    const lock = await acquireLock(path, { processes, patience: 60_000 });
    const before = statSync(sections).size;
    await sleep(Math.random() * 4);
    const after = statSync(sections).size;
    lock.assertHeld();
    appendFileSync(sections, '.');
    print(before === after ? 'done' : 'violated');
    lock.release();
    await sleep(Math.random() * 4);
  }
}

if (mode === 'race') await race(`${path}.sections`);
try {
  await acquireLock(path, { processes, patience: 0, singleName: true });
  print('held');
  if (mode === 'hold') await sleep(60_000);
} catch (error) {
  print(`${(error as { problem?: string }).problem} ${JSON.stringify(error)}`);
}
