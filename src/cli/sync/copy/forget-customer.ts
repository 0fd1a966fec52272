/** `cb sync forget`: removes a customer's personal data from a copy. */
import { updateCopy } from '../../../workflows/sync/database/copy.ts';
import type { SqlReader } from '../../../workflows/sync/database/sql.ts';
import {
  type CustomerRows,
  findCustomer,
  forgetCustomer as forget,
} from '../../../workflows/sync/upkeep/forget.ts';
import { groupedCount } from '../../display/count-of.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { usage } from '../../runtime/failure.ts';
import { nowFor } from '../../session/service-clock.ts';
import { withCopyAt } from '../open-copy.ts';
import { type CopyFlags, placeNamed } from './copy-options.ts';
import { confirmChange, requireCopy, withCopyToChange } from './copy-to-change.ts';

export interface ForgetFlags extends CopyFlags {
  readonly email?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export async function forgetCustomer(cmd: CommandContext, flags: ForgetFlags): Promise<void> {
  const email = emailFrom(flags);
  const place = await placeNamed(cmd, flags);
  const find = async (sql: SqlReader) => {
    await requireCopy(sql);
    return { found: await findCustomer(sql, email), label: sql.label };
  };
  const { found, label } = await withCopyAt(place, find);
  cmd.messages.say(`${foundText(found)} in ${label}.`);
  if (flags.dryRun) {
    cmd.messages.say('Dry run: nothing was changed.');
    return;
  }
  const question = `Remove the personal data of ${email} from the copy, and keep it out?`;
  await confirmChange(cmd, question, flags.yes);
  const at = (await nowFor(cmd)).toISOString();
  await withCopyToChange(cmd, place, async (sql) => {
    await updateCopy(sql);
    // Another sync may have written since the question.
    await forget(sql, email, await findCustomer(sql, email), at);
  });
  cmd.messages.say(
    'Done. Later syncs leave this customer out. Backups and other copies are not changed.',
  );
}

function emailFrom({ email }: ForgetFlags): string {
  if (email !== undefined && /^\S+@\S+$/.test(email.trim())) return email.trim();
  const hint = 'Use the email address of the customer, such as --email ada@example.com.';
  if (email === undefined) throw usage('--email is missing.', { hint });
  throw usage(`Invalid --email '${email}'.`, { hint });
}

function foundText({ rows }: CustomerRows): string {
  const tables = [...rows].map(
    ([{ name }, some]) => `${groupedCount(some.length, 'row')} of ${name}`,
  );
  return tables.length === 0 ? 'Found no rows of this customer' : `Found ${tables.join(', ')}`;
}
