/** The picture in the README: commands as typed, and what they print on the sandbox. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runOnScreen, wrapCommand } from '../screen.ts';
import { pictureOf } from './terminal-picture.ts';

export const pictureFile = fileURLToPath(new URL('../../../docs/session.svg', import.meta.url));

const columns = 84;

const session = [
  'cb orders list --period today --limit 5',
  "cb orders list --email 'ada.sample%' --period last-7-days --fields receipt,totalOrderAmount,customerRefundableState",
  'cb analytics dimension AFFILIATE --role VENDOR --account GREENLEAF --period last-month --chart --limit 5',
  'cb tickets create DIGITAL1 --type rfnd --reason ticket.type.refund.2 --refund-type FULL --dry-run',
  'cb ordres list',
];

/** Returns the same SVG on every run, because the clock stands still and the sandbox creates the same orders. */
export async function sessionPicture(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'cb-picture-'));
  const screen = { home, columns, now: () => new Date('2026-03-18T18:30:00Z') };
  try {
    // The first command creates the sample orders and says so.
    await runOnScreen(screen, 'cb sandbox status');
    const parts: string[] = [];
    for (const line of session) {
      parts.push(
        `\x1b[36m$\x1b[0m ${wrapCommand(line, columns)}\n${await runOnScreen(screen, line)}`,
      );
    }
    return pictureOf(parts.join('\n'), columns, 'A session with cb on the sandbox');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
