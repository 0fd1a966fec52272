/** `cb approve` without an ID: the plans that wait for a person. */

import { onePage } from '../../output/stream.ts';
import { warningsOf } from '../../workflows/approvals/facts.ts';
import { listPlans, type PlanRecord, stateOf } from '../../workflows/approvals/plan-store.ts';
import { showPages } from '../display/show.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { ledgerOf } from '../runtime/ledger.ts';
import { planResource } from './plan-resource.ts';

export async function listWaitingPlans(cmd: CommandContext, output: OutputOptions): Promise<void> {
  const { context } = cmd;
  const all = await listPlans(ledgerOf(context));
  const rows = all.filter((one) => stateOf(one, context.now()) === 'waiting').map(rowOf);
  await showPages(cmd, output, { resource: planResource }, onePage(rows));
  const [first] = rows;
  if (first) cmd.messages.tell(`To see and approve one, run \`cb approve ${first.id}\`.`);
}

function rowOf({ plan }: PlanRecord) {
  const { id, facts, profile, service, madeBy, expiresAt } = plan;
  return {
    id,
    action: facts.action,
    refund: facts.refund?.amount ?? null,
    currency: facts.refund?.currency ?? null,
    warnings: warningsOf(facts).join(' ') || null,
    profile: profile ?? null,
    service,
    madeBy,
    expires: expiresAt,
  };
}
