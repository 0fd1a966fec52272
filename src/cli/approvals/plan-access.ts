/** What a command needs to approve a plan. */
import type { Approvals } from '../../workflows/approvals/approvals.ts';
import type { Plan, PlanOwner } from '../../workflows/approvals/plan.ts';
import { sealOf } from '../../workflows/approvals/seal.ts';
import { verificationFor } from '../flags/write-options.ts';
import type { CommandContext, Session } from '../runtime/command-context.ts';
import { ledgerOf } from '../runtime/ledger.ts';
import { serviceDayOf } from '../session/service-clock.ts';
import { withApi } from '../session/session.ts';
import { senderOf } from '../session/write-recorder.ts';
import { serviceLabel } from '../sync/open-copy.ts';

function planOwner(session: Session): PlanOwner {
  const { profile, key } = session;
  const service = serviceLabel(session);
  return { profile, service, seal: (text) => sealOf({ baseUrl: service, key }, text) };
}

/** Opens the service for which the plan was made, unless the command line names another profile. */
export async function withApprovals<T>(
  given: CommandContext,
  { profile }: Plan,
  work: (approvals: Approvals, session: Session) => Promise<T>,
): Promise<T> {
  const isNamed = given.flags.profile !== undefined || given.flags.sandbox;
  const cmd: CommandContext =
    isNamed || profile === undefined ? given : { ...given, flags: { ...given.flags, profile } };
  const today = await serviceDayOf(cmd);
  return withApi(cmd, {}, (client, session) =>
    work({ ...sessionApprovals(cmd, session), client, today }, session),
  );
}

/** What plans need besides a client and a day. */
export function sessionApprovals(
  cmd: CommandContext,
  session: Session,
): Omit<Approvals, 'client' | 'today'> {
  const { context } = cmd;
  return {
    ledger: ledgerOf(context),
    owner: planOwner(session),
    sender: senderOf(cmd, session, 'agent'),
    processes: context.processes,
    verification: verificationFor(cmd, undefined),
    now: () => context.now(),
  };
}
