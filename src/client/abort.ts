/** Actions when a signal is aborted, and the error of what it ends. */
import { ApiError } from './errors.ts';

/** A signal has one listener for all actions, because Node warns of more than ten. */
const actionsOf = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `action` when the signal is aborted, or at once if it is. Returns a function that forgets the action. */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  if (signal.aborted) {
    action();
    return () => undefined;
  }
  const actions = actionsOf.get(signal) ?? new Set();
  actionsOf.set(signal, actions.add(action));
  signal.addEventListener('abort', runActions);
  return () => {
    actions.delete(action);
    // Node keeps a combined signal in memory as long as it has a listener.
    if (actions.size > 0 || actionsOf.get(signal) !== actions) return;
    actionsOf.delete(signal);
    signal.removeEventListener('abort', runActions);
  };
}

function runActions({ target }: Event): void {
  for (const action of actionsOf.get(target as AbortSignal) ?? []) action();
}

/** The reason of the signal is the cause: a timeout and a person can be told apart. */
export function cancelledBy({ reason }: AbortSignal, { maybeDone = false } = {}): ApiError {
  return new ApiError('cancelled', 'Canceled.', { cause: reason, maybeDone });
}
