/** Opens a sandbox on a file in a separate process and prints the result. */
import { startSandbox } from '../../../src/sandbox/http/server.ts';

const [file = '', orders] = process.argv.slice(2);
const sandbox = await startSandbox({
  file,
  seed: { orders: Number(orders) },
  onSeed: () => process.stdout.write('seeding\n'),
});
process.stdout.write(`orders ${sandbox.status().orders}\n`);
await sandbox.close();
