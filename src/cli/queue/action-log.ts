/** The file of `cb tickets work --log`: each action that was sent, for people. The ledger is what cb relies on. */
import { appendFile, open, readFile, stat } from 'node:fs/promises';
import { renderOne } from '../../output/render.ts';
import { shownCode } from '../../storage/error-code.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { pathOf } from '../runtime/folders.ts';
import type { WorkContext } from './work-context.ts';

const columns = [
  ...(['time', 'ticketId', 'receipt', 'email', 'action', 'amount', 'currency'] as const),
  ...(['outcome', 'detail'] as const),
];
const header = columns.join(',');

/** Appends actions to a CSV file. Throws a usage failure if it is no such file or can't be written. */
export async function actionLogAt(
  { context, messages }: CommandContext,
  typed: string | undefined,
): Promise<WorkContext['logAction']> {
  if (typed === undefined) return async () => undefined;
  const path = pathOf(context, typed);
  const hint = 'Nothing was sent. Name another file with --log.';
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
  // A pipe would be waited for.
  if (!isFile) throw usage(`The log ${path} is not a file.`, { hint });
  const [first = ''] = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  if (first === `${header},actionId,request`) {
    throw usage(`The log ${path} was written by an older version of cb.`, {
      hint: "Nothing was sent. Check its actions of outcome 'sent, outcome unknown', then name another file with --log.",
    });
  }
  if (first !== '' && first !== header) {
    throw usage(`${path} is not a log of cb tickets work.`, { hint });
  }
  try {
    const file = await open(path, 'a', 0o600);
    if (first === '') await file.appendFile(`${header}\n`);
    await file.close();
  } catch (cause) {
    throw usage(`The log ${path} can't be written (${shownCode(cause)}).`, { hint, cause });
  }
  return async ({ record, isUnsent }) => {
    if (isUnsent) return;
    const row = Object.fromEntries(columns.map((name) => [name, record[name]]));
    const line = await renderOne('csv', [row], { header: false });
    await appendFile(path, line).catch((cause: unknown) =>
      messages.say(`warning: The log ${path} can't be written (${shownCode(cause)}).`),
    );
  };
}
