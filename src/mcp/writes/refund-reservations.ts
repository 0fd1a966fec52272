/** The refunds of a session that count toward its limits, by the plans that reserved them. */
import type { Approvals } from '../../workflows/approvals/approvals.ts';
import { type PlanRecord, readPlan, stateOf } from '../../workflows/approvals/plan-store.ts';
import type { RefundCounter } from '../../workflows/approvals/refund-limits.ts';

const releases = new WeakMap<RefundCounter, Map<string, () => void>>();

/** An approval that has begun just before the end of a plan may still be decided. */
const grace = 120_000;

export function track(refunds: RefundCounter, id: string, release: () => void): void {
  const known = releases.get(refunds) ?? new Map<string, () => void>();
  releases.set(refunds, known.set(id, release));
}

/** Takes back what certainly can't be sent any more, in a terminal either. */
export async function releaseClosed(
  refunds: RefundCounter,
  { ledger, now }: Pick<Approvals, 'ledger' | 'now'>,
): Promise<void> {
  const known = releases.get(refunds) ?? new Map<string, () => void>();
  for (const [id, release] of known) {
    const record = await readPlan(ledger, id).catch(() => undefined);
    if (!record || !isClosed(record, now())) continue;
    known.delete(id);
    release();
  }
}

function isClosed(record: PlanRecord, now: Date): boolean {
  const { entry, plan } = record;
  if (entry.state !== 'planned') {
    return (entry.state === 'declined' || entry.state === 'not done') && entry.sentAt === undefined;
  }
  const isOver = now.getTime() > Date.parse(plan.expiresAt) + grace;
  return isOver && stateOf(record, now) === 'expired';
}
