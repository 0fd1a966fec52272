/** Actions when a signal is aborted, and the error of what it ends. */
import { ApiError } from './errors.ts';

interface Listener {
  readonly actions: Set<() => void>;
  runAll(): void;
}

const listeners = new WeakMap<AbortSignal, Listener>();

/**
 * Calls `action` when the signal is aborted, or at once if it is. Returns a function that forgets the action. A signal
 * has one listener for all actions, because Node warns of more than ten.
 */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  if (signal.aborted) {
    action();
    return () => undefined;
  }
  const listener = listeners.get(signal) ?? listen(signal);
  const { actions, runAll } = listener;
  actions.add(action);
  return () => {
    actions.delete(action);
    // Node keeps a combined signal in memory as long as it has a listener.
    if (actions.size > 0 || listeners.get(signal) !== listener) return;
    listeners.delete(signal);
    signal.removeEventListener('abort', runAll);
  };
}

function listen(signal: AbortSignal): Listener {
  const actions = new Set<() => void>();
  const runAll = () => {
    for (const action of actions) action();
  };
  const listener = { actions, runAll };
  listeners.set(signal, listener);
  signal.addEventListener('abort', runAll);
  return listener;
}

/** The reason of the signal is the cause: a timeout and a person can be told apart. */
export function cancelledBy({ reason }: AbortSignal, { maybeDone = false } = {}): ApiError {
  return new ApiError('cancelled', 'Canceled.', { cause: reason, maybeDone });
}
