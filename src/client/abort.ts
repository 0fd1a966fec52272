/** Actions when a signal is aborted, and the error of what it ends. */
import { setMaxListeners } from 'node:events';
import { ApiError } from './errors.ts';

/** Calls `action` when the signal is aborted, or at once if it is. Returns a function that forgets the action. */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  if (signal.aborted) {
    action();
    return () => undefined;
  }
  // Node warns of more than ten listeners.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', action);
  // Node keeps a combined signal in memory as long as it has a listener.
  return () => signal.removeEventListener('abort', action);
}

/** The reason of the signal is the cause: a timeout and a person can be told apart. */
export function cancelledBy({ reason }: AbortSignal, { maybeDone = false } = {}): ApiError {
  return new ApiError('cancelled', 'Canceled.', { cause: reason, maybeDone });
}
