/** The picture of the README: commands as typed, and what they really print on the sandbox. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Context } from '../../cli/runtime/context.ts';
import { run } from '../../cli/runtime/run.ts';
import { quietCall } from '../docs/generated.ts';
import { pictureOf } from './terminal-picture.ts';

export const pictureFile = fileURLToPath(new URL('../../../docs/session.svg', import.meta.url));

const columns = 84;

/** Words in single quotes belong together. */
const session = [
  'cb orders list --period today --limit 5',
  "cb orders list --email 'ada.sample%' --period last-7-days --fields receipt,totalOrderAmount,customerRefundableState",
  'cb analytics dimension AFFILIATE --role VENDOR --account GREENLEAF --period last-month --chart --limit 5',
  'cb tickets create DIGITAL1 --type rfnd --reason ticket.type.refund.2 --refund-type FULL --dry-run',
  'cb ordres list',
];

/** The same at every time: the clock stands still, and the sandbox makes up the same orders. */
export async function sessionPicture(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'cb-picture-'));
  try {
    // The first command of a sandbox makes its orders, and says so.
    await print(home, 'cb sandbox status');
    const parts: string[] = [];
    for (const line of session) {
      parts.push(`\x1b[36m$\x1b[0m ${typed(line)}\n${await print(home, line)}`);
    }
    return pictureOf(parts.join('\n'), columns, 'A session with cb on the sandbox');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A line that is too long goes on below, as a shell lets it. */
function typed(line: string): string {
  const lines: string[] = [];
  let last = '';
  for (const word of line.split(' ')) {
    const longer = last === '' ? word : `${last} ${word}`;
    if (longer.length > columns - 6) {
      lines.push(last);
      last = `    ${word}`;
    } else last = longer;
  }
  return [...lines, last].join(' \\\n');
}

async function print(home: string, line: string): Promise<string> {
  let text = '';
  const screen = Object.assign(
    new Writable({
      write(chunk, _, done) {
        text += String(chunk);
        done();
      },
    }),
    { isTTY: true, columns },
  );
  await run(wordsOf(line), contextOn(home, screen));
  return text;
}

/** Notes and errors are shown, as on a terminal; nobody waits for what goes on. */
function contextOn(home: string, screen: Context['stdout']): Context {
  return {
    ...quietCall().context,
    stdin: Readable.from([]),
    stdout: screen,
    stderr: screen,
    env: { CB_PROFILE: 'sandbox', LANG: 'C.UTF-8' },
    home,
    folder: home,
    now: () => new Date('2026-03-18T18:30:00Z'),
  };
}

function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
  return words.slice(1);
}
