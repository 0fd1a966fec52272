/** What was done: one table at the end of the session, and the counts. */
import { alike, decimal, naming, resource, text, time } from '../../operations/resource.ts';
import { onePage } from '../../output/stream.ts';
import type { ActionRecord } from '../../workflows/queue/send-action.ts';
import { money } from '../../workflows/safe-write/sentence.ts';
import { showPages } from '../display/show.ts';
import { isStructured, type OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';

const action = resource(
  'action',
  ['ticketId', 'action', 'amount', 'outcome', 'receipt', 'email', 'time'],
  {
    time,
    ticketId: naming('ticket', text),
    receipt: naming('receipt', text),
    ...alike(text, 'email', 'action'),
    amount: decimal,
    ...alike(text, 'currency', 'outcome', 'detail'),
  },
  { noun: 'action', amount: 'amount', currency: 'currency' },
);

/** What fits a terminal. */
const short = resource(
  'action',
  ['ticketId', 'action', 'amount', 'outcome', 'receipt', 'detail'],
  {
    ...{ ticketId: naming('ticket', text), action: text, amount: text, outcome: text },
    ...{ receipt: naming('receipt', text), detail: text },
  },
  { noun: 'action' },
);

function inShort({ ticketId, action, amount, currency, outcome, receipt, detail }: ActionRecord) {
  return { ticketId, action, amount: money(amount, currency), outcome, receipt, detail };
}

function inFull(one: ActionRecord) {
  return { ...one, amount: one.amount || null, currency: one.currency || null };
}

export async function showSummary(
  cmd: CommandContext,
  output: OutputOptions,
  records: readonly ActionRecord[],
  left: number,
): Promise<void> {
  const isTable = output.format === 'table';
  const rows = records.map((one) => (isTable ? inShort(one) : inFull(one)));
  if (rows.length > 0 || isStructured(output)) {
    await showPages(cmd, output, { resource: isTable ? short : action }, onePage(rows));
  }
  const count = (outcome: ActionRecord['outcome']) =>
    records.filter((one) => one.outcome === outcome).length;
  const counts = [
    `${count('done')} done`,
    ...(count('dry run') > 0 ? [`${count('dry run')} only tried`] : []),
    ...(count('not done') > 0 ? [`${count('not done')} not done`] : []),
    ...(count('unknown') > 0 ? [`${count('unknown')} unknown`] : []),
  ];
  const tickets = `${left} ticket${left === 1 ? '' : 's'} without an action`;
  cmd.messages.say(
    rows.length === 0 ? `Nothing was sent; ${tickets}.` : `${counts.join(', ')}; ${tickets}.`,
  );
}
