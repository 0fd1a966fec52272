/** Writes whole sentences to stderr: wrapped between words on a terminal, one line each elsewhere. */
import { wrap } from '../../output/table/display-width.ts';
import { plain } from '../../output/table/terminal-text.ts';
import type { CommandContext } from '../runtime/command-context.ts';

export function saySentence({ messages, context }: CommandContext, text: string): void {
  const width = messages.watched ? Math.max(20, (context.stderr.columns ?? 80) - 1) : Infinity;
  messages.say(wrap(plain(text), width).join('\n'));
}
