/** `--exec`: a command of the user as the destination of events. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryResult, Destination } from '../../../ins/listener/destination.ts';
import type { Outcome, RunningCommand } from '../../../workflows/watch/command-queue.ts';

/** Milliseconds for a command to react to SIGTERM. */
const patience = 2000;

/** The command gets the decrypted JSON on one line of its standard input. */
export function commandAt(start: (input: string) => Promise<RunningCommand>): Destination {
  return async ({ text }, signal) => {
    signal.throwIfAborted();
    let command: RunningCommand;
    try {
      command = await start(`${text}\n`);
    } catch (error) {
      return { isDone: false, text: error instanceof Error ? error.message : String(error) };
    }
    const end = () => void endCommand(command);
    signal.addEventListener('abort', end, { once: true });
    const outcome = await command.ended;
    signal.removeEventListener('abort', end);
    signal.throwIfAborted();
    return resultOf(outcome);
  };
}

async function endCommand(command: RunningCommand): Promise<void> {
  command.kill('SIGTERM');
  await Promise.race([command.ended, sleep(patience)]);
  command.kill('SIGKILL');
}

function resultOf(outcome: Outcome): DeliveryResult {
  if (outcome.kind === 'not-started') {
    return { isDone: false, text: `the command could not be started (${outcome.reason})` };
  }
  if (outcome.kind === 'killed') {
    return { isDone: false, text: `the command was ended by ${outcome.signal}` };
  }
  return { isDone: outcome.code === 0, text: `exit code ${outcome.code}` };
}
