/**
 * Calls `action` when the signal is aborted, or at once if it is. Returns a function that forgets the action: Node keeps a
 * combined signal in memory as long as it has a listener.
 */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  if (signal.aborted) action();
  else signal.addEventListener('abort', action);
  return () => signal.removeEventListener('abort', action);
}
