/** Runs `cb mcp`: serves an agent over stdin and stdout, with what its calls share. */
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { realClock } from '../../client/clock.ts';
import { redactorFor } from '../../client/http/redaction.ts';
import type { CommandContext, Context } from '../../shell/context.ts';
import { failureFrom } from '../../shell/failure.ts';
import { mcpFolder } from '../../shell/folders.ts';
import { nowFor, serviceName, withApi } from '../../shell/session/session.ts';
import { version } from '../../shell/version.ts';
import { serviceLabel, usualFile } from '../sync/open-copy.ts';
import { openQueries } from '../sync/query/remote-queries.ts';
import { approvalsFor } from './approvals/approve-command.ts';
import { openCallLog } from './call-log.ts';
import { serveMcp } from './server.ts';
import { type CopyAccess, type Limits, type McpSession, SessionLimits } from './tool.ts';

/** Throws a Failure if there is no key. */
export async function runMcp(cmd: CommandContext, given: Limits, allowsWrites: boolean) {
  const limits = new SessionLimits(given);
  const { context, messages } = cmd;
  const { processes, signal } = context;
  if (context.stdin.isTTY) {
    messages.say('Waiting for an agent on stdin. To set one up, run `cb mcp install`.');
  }
  const onRequest = () => limits.countRequest();
  try {
    await withApi(cmd, { onRequest }, async (client, service) => {
      const redact = redactorFor(() => cmd.keysInUse);
      const place = { folder: mcpFolder(context), processes, redact, now: () => context.now() };
      const facts = { session: randomUUID().slice(0, 8), service: serviceName(service) };
      const session: McpSession = {
        ...{ client, limits, allowsWrites, signal, redact, version },
        now: () => nowFor(cmd),
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

/** Milliseconds that a call may take. */
const longest = 30_000;

function copyAccess({ clock = realClock, startQueries }: Context, file: string): CopyAccess {
  const options = { file, patience: { milliseconds: longest, clock }, start: startQueries };
  // One query can use a whole processor, and all of its memory.
  let last: Promise<unknown> = Promise.resolve();
  return (signal, work, longestText) => {
    const result = last.then(async () => {
      const limits = { keepsInMemory: true, longest: longestText };
      const copy = openQueries({ ...options, signal, limits });
      try {
        return await work(copy);
      } finally {
        await copy.close();
      }
    });
    last = result.catch(() => undefined);
    return result;
  };
}
