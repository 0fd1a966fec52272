/** The reasons that were chosen last, by type of ticket: the wizard highlights them. A lost file only costs a key press. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Context } from '../../../shell/context.ts';
import { stateFolder } from '../../../shell/folders.ts';
import { writeAtomic } from '../../../storage/atomic-file.ts';
import { makeFolder } from '../../../storage/folder.ts';
import type { MoneyTicket } from './refund.ts';

export function lastReason(context: Context, type: MoneyTicket): string | undefined {
  return readReasons(context)[type];
}

export async function keepReason(
  context: Context,
  type: MoneyTicket,
  reason: string,
): Promise<void> {
  try {
    const file = fileOf(context);
    makeFolder(dirname(file));
    const text = JSON.stringify({ ...readReasons(context), [type]: reason });
    await writeAtomic(file, text, { mode: 0o600 });
  } catch {
    // The refund continues without it.
  }
}

function readReasons(context: Context): Partial<Record<MoneyTicket, string>> {
  try {
    return JSON.parse(readFileSync(fileOf(context), 'utf8')) ?? {};
  } catch {
    return {};
  }
}

function fileOf(context: Context): string {
  return join(stateFolder(context), 'refund-reasons.json');
}
