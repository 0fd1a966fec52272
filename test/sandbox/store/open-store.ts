/** Opens a sandbox on a file and says what it did: a process of its own for the tests. */
import { startSandbox } from '../../../src/sandbox/http/server.ts';

const [file = '', orders] = process.argv.slice(2);
const sandbox = await startSandbox({
  file,
  seed: { orders: Number(orders) },
  onSeed: () => process.stdout.write('seeding\n'),
});
process.stdout.write(`orders ${sandbox.status().orders}\n`);
await sandbox.close();
