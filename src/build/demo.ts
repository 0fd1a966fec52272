/** `npm run demo`: the main job on the sandbox, each command above its output. Leaves nothing behind. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const binary = fileURLToPath(new URL('../../bin/cb.js', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'cb-demo-'));

/** Words in single quotes belong together; what stands after `|` or `>` is done here. */
function show(comment: string, line: string): string {
  console.log(`\n# ${comment}\n$ cb ${line}`);
  const words = [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
  const { stdout, stderr, status } = spawnSync(process.execPath, [binary, ...words], {
    cwd: home,
    env: { ...process.env, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, CB_API_KEY: '' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  process.stdout.write(`${stderr}${stdout}`);
  if (status !== 0) throw new Error(`'cb ${line}' ended with ${status}`);
  return stdout;
}

function showFile(name: string, lines: number): void {
  const all = readFileSync(join(home, name), 'utf8').trimEnd().split('\n');
  console.log(`\n$ head -n ${lines} ${name}`);
  for (const line of all.slice(0, lines)) {
    console.log(line.length > 120 ? `${line.slice(0, 119)}…` : line);
  }
  console.log(`\n$ wc -l ${name}\n${all.length} ${name}`);
}

try {
  show(
    'Orders of the last week, as a table',
    '--sandbox orders list --period last-7-days --limit 10 -o table',
  );
  show('How many there are in three months', '--sandbox orders count --period last-3-months');
  show(
    'All of them, page after page, into a spreadsheet',
    '--sandbox orders list --period last-3-months --out orders.csv',
  );
  showFile('orders.csv', 3);
  show(
    'Refunds of a quarter as JSON',
    '--sandbox orders list --period last-3-months --type RFND --limit 1 -o json',
  );
  show(
    'What was refunded, by currency',
    "--sandbox orders list --period last-3-months --type RFND -o table --query 'group_by(@, &currency) | items(@)[*].{currency: [0], refunds: length([1]), total: sum([1][].totalOrderAmount)}'",
  );
  show('One receipt: the sale, its rebills, its items', '--sandbox orders get MONTHLY1 -o table');
  show('Whether a subscription is active', '--sandbox orders active MONTHLY1');
} finally {
  rmSync(home, { recursive: true, force: true });
}
