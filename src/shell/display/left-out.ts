/** Says that a table leaves columns out: once in a session of the terminal, because people ask for many tables. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shape } from '../../output/rows/rows.ts';
import { makeFolder } from '../../storage/folder.ts';
import type { CommandContext } from '../command-context.ts';
import type { Context } from '../context.ts';
import { stateFolder } from '../folders.ts';

export function tellLeftOut(
  { context, messages }: CommandContext,
  columns: number,
  { fields }: Shape,
): void {
  if (columns === 0 || !messages.watched || wasTold(context)) return;
  const shown = columns === 1 ? '1 column is' : `${columns} columns are`;
  const isKnown = Object.keys(fields).length > 0;
  const how = isKnown ? 'List them with --fields help' : 'Choose columns with --fields';
  messages.tell(`${shown} not shown. ${how}, or use -o json.`);
}

/** Remembers the session that was told last. Without a folder for it, the sentence is repeated. */
function wasTold(context: Context): boolean {
  const { session } = context;
  if (session === undefined) return false;
  try {
    const folder = stateFolder(context);
    const file = join(folder, 'told-of-columns');
    makeFolder(folder);
    const known = readFileSync(file, { encoding: 'utf8', flag: 'a+' });
    if (known === session) return true;
    writeFileSync(file, session);
  } catch {
    // For example a home folder without write permission.
  }
  return false;
}
