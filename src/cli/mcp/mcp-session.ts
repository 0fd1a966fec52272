/** Opens what the calls of an agent share: the service of the profile, the limits and the log. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { redactorFor } from '../../client/http/redaction.ts';
import { openCallLog } from '../../mcp/call-log.ts';
import type { AccountFacts, McpSession } from '../../mcp/tool.ts';
import { sessionLimits, usualLimits } from '../../mcp/tool.ts';
import { createFingerprint, matchesFingerprint } from '../../storage/fingerprint.ts';
import { sessionApprovals } from '../approvals/plan-access.ts';
import { wholeNumber } from '../flags/flags.ts';
import type { CommandContext, Session } from '../runtime/command-context.ts';
import type { Context } from '../runtime/context.ts';
import { failureFrom, usage } from '../runtime/failure.ts';
import { dataFolder } from '../runtime/folders.ts';
import { version } from '../runtime/version.ts';
import { nowFor } from '../session/service-clock.ts';
import { serviceName, withApi } from '../session/session.ts';
import { serviceLabel, usualFile } from '../sync/place.ts';
import { copyAccess } from './copy-access.ts';
import { type RefundLimitFlags, refundLimitsFrom } from './refund-limit-options.ts';

export interface McpFlags extends RefundLimitFlags {
  readonly allowWrites?: boolean;
  readonly maxRequests?: string;
}

/** The private folder of the log. */
export function mcpFolder(context: Context): string {
  return join(dataFolder(context), 'mcp');
}

/** Runs `work` with an open session. Throws a Failure if there is no key, or an option is wrong. */
export async function withMcpSession(
  cmd: CommandContext,
  flags: McpFlags,
  work: (session: McpSession) => Promise<void>,
): Promise<void> {
  requireLimits(flags);
  const { context } = cmd;
  const limits = sessionLimits({
    requests: maxRequestsIn(flags),
    refunds: refundLimitsFrom(flags),
  });
  const onRequest = () => limits.countRequest();
  await withApi(cmd, { onRequest }, async (client, session) => {
    const redact = redactorFor(() => cmd.keysInUse);
    const ahead = (await nowFor(cmd)).getTime() - context.now().getTime();
    const now = () => new Date(context.now().getTime() + ahead);
    const account = accountFacts(cmd, session);
    const place = { folder: mcpFolder(context), processes: context.processes, redact };
    const facts = { session: randomUUID().slice(0, 8), service: account.label };
    await work({
      ...{ client, account, limits, redact, now, version },
      log: openCallLog({ ...place, now: () => context.now() }, facts),
      approvals: { ...sessionApprovals(cmd, session), writer: client },
      allowsWrites: flags.allowWrites ?? false,
      folder: place.folder,
      processes: context.processes,
      signal: context.signal,
      copy: copyAccess(context, account.copyFile),
      explain: (error) => {
        const { message, hint, next } = failureFrom(error);
        const profile = account.profile === undefined ? '' : ` --profile ${account.profile}`;
        return { message, hint: hint ?? (next && `A person can run: ${next}${profile}`) };
      },
    });
  });
}

function accountFacts(cmd: CommandContext, session: Session): AccountFacts {
  const { profile, key } = session;
  const service = serviceLabel(session);
  const owner = { baseUrl: service, key };
  return {
    ...{ profile, service, label: serviceName(session), copyFile: usualFile(cmd, service) },
    isSandbox: service === 'the sandbox',
    fingerprint: () => createFingerprint(owner),
    matches: (fingerprint) => matchesFingerprint(fingerprint, owner),
  };
}

/** Throws a usage failure for a wrong limit. */
export function requireLimits(flags: McpFlags): void {
  maxRequestsIn(flags);
  refundLimitsFrom(flags);
  const limit = flags.maxRefunds === undefined ? '--max-refund-total' : '--max-refunds';
  if ((flags.maxRefunds ?? flags.maxRefundTotal) !== undefined && !flags.allowWrites) {
    throw usage(`${limit} has no effect without --allow-writes.`, {
      hint: 'Add --allow-writes, or leave it out.',
    });
  }
}

function maxRequestsIn({ maxRequests }: McpFlags): number {
  if (maxRequests === undefined) return usualLimits.requests;
  return wholeNumber('--max-requests', maxRequests, 1);
}
