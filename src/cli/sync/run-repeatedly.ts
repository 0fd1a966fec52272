/** `cb sync --every`: one sync after another, for a service manager. */
import { realClock } from '../../client/clock.ts';
import { ApiError } from '../../client/errors.ts';
import { durationText } from '../../dates/duration.ts';
import { DestinationError } from '../../workflows/sync/destination.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { failureFrom } from '../runtime/failure.ts';

/**
 * Calls `work` every `interval` milliseconds, from start to start, and never twice at once. Ends only by throwing: when
 * the command is stopped, or for an error that waiting does not remove, such as a revoked key. `work` receives what is
 * new for each run.
 */
export async function runRepeatedly(
  { context, messages }: CommandContext,
  interval: number,
  work: (fresh: Pick<CommandContext, 'keysInUse' | 'endWith'>) => Promise<void>,
): Promise<never> {
  const clock = context.clock ?? realClock;
  for (;;) {
    const start = clock.now();
    try {
      // How one run ends does not matter for the exit code of the service.
      await work({ keysInUse: [], endWith: () => undefined });
    } catch (error) {
      if (context.signal.aborted || !mayPass(error)) throw error;
      const { message } = failureFrom(error);
      messages.say(`warning: ${message} The next sync starts within ${durationText(interval)}.`);
    }
    await clock.sleep(Math.max(0, interval - (clock.now() - start)), context.signal);
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof DestinationError) {
    return error.kind !== 'unsuitable' && error.kind !== 'missing';
  }
  const kinds = ['network', 'failed', 'rate-limit', 'incomplete'];
  return error instanceof ApiError && kinds.includes(error.kind);
}
