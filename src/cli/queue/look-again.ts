/** Looks for a write whose outcome is unknown, before anything else is sent about its order. */
import { catalogue } from '../../operations/index.ts';
import type { Arguments } from '../../operations/operation.ts';
import type { ActionName } from '../../workflows/queue/possible-actions.ts';
import { resolveAction } from '../../workflows/queue/send-action.ts';
import type { TicketDetails } from '../../workflows/queue/ticket-details.ts';
import { forget, markDone } from './confirm-action.ts';
import { notify, subjectKey, type UnknownWrite, type WorkContext } from './work-context.ts';

/** Why nothing can be sent about this order now; undefined if something can. */
export function whyBlocked(context: WorkContext, details: TicketDetails): string | undefined {
  const unknown = context.done.unknown.get(subjectKey(details));
  if (!unknown || unknown.isLookedAt) return undefined;
  return 'The outcome of the last write about this order is unknown. Press l to look again.';
}

export async function lookAgain(context: WorkContext, details: TicketDetails): Promise<void> {
  const { done, sender, cmd } = context;
  const unknown = done.unknown.get(subjectKey(details));
  if (!unknown) return notify(context, 'No write about this order has an unknown outcome.');
  const { open } = unknown;
  cmd.messages.status('Looking for the write …');
  const state = await resolveAction(sender, open);
  cmd.messages.status('');
  forget(context, details);
  if (state !== 'done') {
    done.unknown.set(subjectKey(details), { ...unknown, isLookedAt: true });
    notify(
      context,
      'ClickBank does not show it. It may still arrive, so check before you repeat it.',
    );
    return;
  }
  done.unknown.delete(subjectKey(details));
  correctRecord(context, unknown);
  const operation = catalogue.find(({ command }) => command === open.operation);
  if (!operation) return;
  const { amount, currency } = open;
  const args = (open.args ?? {}) as Arguments;
  markDone(context, details, {
    ...{ name: open.action as ActionName, operation, args, amount, currency },
  });
}

/** The table at the end shows what is known now. */
function correctRecord({ done, sender }: WorkContext, { record }: UnknownWrite): void {
  if (!record) return;
  const at = done.records.indexOf(record);
  const detail = 'The response was lost, but a later look found it.';
  done.records[at] = { ...record, time: sender.now().toISOString(), outcome: 'done', detail };
}
