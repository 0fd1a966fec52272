/** What a command needs to approve a plan. */

import type { CommandContext, Session } from '../../../shell/command-context.ts';
import { ledgerOf } from '../../../shell/ledger.ts';
import { verificationFor } from '../../../shell/options/write-options.ts';
import { serviceDayOf } from '../../../shell/session/service-clock.ts';
import { withApi } from '../../../shell/session/session.ts';
import { senderOf } from '../../../shell/session/write-recorder.ts';
import { serviceLabel } from '../../sync/open-copy.ts';
import type { Approvals } from './approvals.ts';
import type { Plan, PlanOwner } from './plan.ts';
import { sealOf } from './seal.ts';

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
