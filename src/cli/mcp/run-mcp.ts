/** Runs `cb mcp`: serves an agent over stdin and stdout. */
import { Writable } from 'node:stream';
import { serveMcp } from '../../mcp/server.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import type { Screen } from '../runtime/context.ts';
import { type McpFlags, withMcpSession } from './mcp-session.ts';

export async function runMcp(cmd: CommandContext, flags: McpFlags): Promise<void> {
  const { context, messages } = cmd;
  if (context.stdin.isTTY) {
    messages.say('Waiting for an agent on stdin. To set one up, run `cb mcp install`.');
  }
  try {
    await withMcpSession(cmd, flags, async (session) => {
      await session.log.add({ event: 'start', allowsWrites: session.allowsWrites });
      await serveMcp(session, {
        input: context.stdin,
        output: writableOn(context.stdout),
        onProblem: (error) => messages.debug(`cb mcp: ${session.redact(error.message)}`),
      });
      await session.log.add({ event: 'end', requests: session.limits.requests });
    });
  } finally {
    // An open stdin would keep the process alive after a signal.
    context.stdin.destroy();
  }
}

/** The stream of a screen, for the protocol: a lost reader is an error of the stream. */
function writableOn(screen: Screen): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      screen.write(chunk, done);
    },
  });
}
