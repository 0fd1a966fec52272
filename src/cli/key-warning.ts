/** The warning about a key in the environment that does not look like a key of ClickBank. */
import type { Shell } from './shell.ts';

/** Calls that were warned already: one command may open several sessions. */
const warned = new WeakSet<Shell['context']>();

/** Warns once per call. The key is used all the same, since only the service knows what its keys look like. */
export function warnOfForm(
  { context, messages }: Pick<Shell, 'context' | 'messages'>,
  key: string,
) {
  if (/^(API|DEV)-/.test(key) || warned.has(context)) return;
  warned.add(context);
  messages.say("warning: CB_API_KEY does not begin with 'API-' or 'DEV-', as ClickBank keys do.");
}
