/**
 * Runs `cb mcp`: serves an agent over stdin and stdout, with what its calls share: the service, the limits, the copy
 * and the log.
 */
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { realClock } from '../../client/clock.ts';
import { redactorFor } from '../../client/http/redaction.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import type { Context } from '../../shell/context.ts';
import { failureFrom, usage } from '../../shell/failure.ts';
import { mcpFolder } from '../../shell/folders.ts';
import { wholeNumber } from '../../shell/options/flags.ts';
import { nowFor } from '../../shell/session/service-clock.ts';
import { serviceName, withApi } from '../../shell/session/session.ts';
import { version } from '../../shell/version.ts';
import { serviceLabel, usualFile } from '../sync/open-copy.ts';
import { openQueries } from '../sync/query/remote-queries.ts';
import { approvalsFor } from './approvals/approve-command.ts';
import { openCallLog } from './call-log.ts';
import { serveMcp } from './server.ts';
import { type CopyAccess, type Limits, type McpSession, sessionLimits } from './tool.ts';

export interface McpFlags {
  readonly allowWrites?: boolean;
  readonly maxRequests?: string;
  readonly maxRefunds?: string;
  readonly maxRefundTotal?: string;
}

/** Throws a Failure if there is no key, or an option is wrong. */
export async function runMcp(cmd: CommandContext, flags: McpFlags): Promise<void> {
  const limits = sessionLimits(limitsFrom(flags));
  const allowsWrites = flags.allowWrites ?? false;
  const { context, messages } = cmd;
  const { processes, signal } = context;
  if (context.stdin.isTTY) {
    messages.say('Waiting for an agent on stdin. To set one up, run `cb mcp install`.');
  }
  const onRequest = () => limits.countRequest();
  try {
    await withApi(cmd, { onRequest }, async (client, service) => {
      const redact = redactorFor(() => cmd.keysInUse);
      const ahead = (await nowFor(cmd)).getTime() - context.now().getTime();
      const place = { folder: mcpFolder(context), processes, redact, now: () => context.now() };
      const facts = { session: randomUUID().slice(0, 8), service: serviceName(service) };
      const session: McpSession = {
        ...{ client, limits, allowsWrites, signal, redact, version },
        now: () => new Date(context.now().getTime() + ahead),
        log: openCallLog(place, facts),
        approvals: { ...approvalsFor(cmd, service), writer: client },
        copy: copyAccess(context, usualFile(cmd, serviceLabel(service))),
        explain: (error) => {
          const { message, hint, next } = failureFrom(error);
          const profile = service.profile === undefined ? '' : ` --profile ${service.profile}`;
          return { message, hint: hint ?? (next && `A person can run: ${next}${profile}`) };
        },
      };
      await session.log.add({ event: 'start', allowsWrites });
      await serveMcp(session, {
        input: context.stdin,
        // A lost reader is an error of the stream.
        output: new Writable({ write: (chunk, _, done) => void context.stdout.write(chunk, done) }),
        onProblem: (error) => messages.debug(`cb mcp: ${redact(error.message)}`),
      });
      await session.log.add({ event: 'end', requests: limits.requests });
    });
  } finally {
    // An open stdin would keep the process alive after a signal.
    context.stdin.destroy();
  }
}

/** Throws a usage failure for a wrong limit. */
export function limitsFrom(flags: McpFlags): Limits {
  const { allowWrites, maxRequests = '1000', maxRefunds, maxRefundTotal } = flags;
  const limits = {
    requests: wholeNumber('--max-requests', maxRequests, 1),
    refunds: maxRefunds === undefined ? undefined : wholeNumber('--max-refunds', maxRefunds, 0),
    refundTotals: maxRefundTotal === undefined ? {} : totalsFrom(maxRefundTotal),
  };
  const limit = maxRefunds === undefined ? '--max-refund-total' : '--max-refunds';
  if ((maxRefunds ?? maxRefundTotal) !== undefined && !allowWrites) {
    throw usage(`${limit} has no effect without --allow-writes.`, {
      hint: 'Add --allow-writes, or leave it out.',
    });
  }
  return limits;
}

/** As in `200USD,150.50EUR`. A limit in dollars says nothing about euros. */
function totalsFrom(typed: string): Readonly<Record<string, string>> {
  const totals = new Map<string, string>();
  for (const part of typed.split(',')) {
    const [, amount, code = ''] = /^\s*(\d{1,12}(?:\.\d{1,2})?)\s*([a-z]{3})\s*$/i.exec(part) ?? [];
    const currency = code.toUpperCase();
    if (amount === undefined || totals.has(currency)) {
      throw usage(`Invalid --max-refund-total '${typed}'.`, {
        hint: 'Use an amount and a currency, such as 200USD or 200USD,150EUR.',
      });
    }
    totals.set(currency, amount);
  }
  return Object.fromEntries(totals);
}

/** Milliseconds that a call may take. */
const longest = 30_000;

function copyAccess({ clock = realClock, startQueries }: Context, file: string): CopyAccess {
  const options = { file, patience: { milliseconds: longest, clock }, start: startQueries };
  // One query can use a whole processor, and all of its memory.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <C extends { close(): Promise<void> }, T>(
    open: () => C,
    work: (copy: C) => Promise<T>,
  ): Promise<T> => {
    const result = last.then(async () => {
      const copy = open();
      try {
        return await work(copy);
      } finally {
        await copy.close();
      }
    });
    last = result.catch(() => undefined);
    return result;
  };
  const limits = { keepsInMemory: true };
  return {
    queries: (cut, signal, work) =>
      inTurn(() => openQueries({ ...options, signal, limits: { ...limits, longest: cut } }), work),
    reader: (signal, work) => inTurn(() => openQueries({ ...options, signal, limits }), work),
  };
}
