/** Decides whether output has color, and how labels of messages look. */
import { type Color, paint } from '../../output/paint.ts';
import type { Context, Screen } from '../context.ts';

/**
 * Whether text on a stream has color. In this order: `--no-color`; `FORCE_COLOR` (0 and false disable, as in Node
 * and chalk); `NO_COLOR` with any value (no-color.org); `CLICOLOR_FORCE` other than 0; a dumb terminal;
 * `CLICOLOR=0` (bixense.com/clicolors); otherwise whether the stream is a terminal. Empty variables count as not
 * set.
 */
export function hasColor(
  { env }: Pick<Context, 'env'>,
  screen: Pick<Screen, 'isTTY'>,
  flags: { readonly color?: boolean },
): boolean {
  if (flags.color === false) return false;
  if (env.FORCE_COLOR) return !['0', 'false'].includes(env.FORCE_COLOR.toLowerCase());
  if (env.NO_COLOR) return false;
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  return !!screen.isTTY && env.TERM !== 'dumb' && env.CLICOLOR !== '0';
}

const labels: Readonly<Record<string, Color>> = {
  'cb:': 'red',
  'warning:': 'yellow',
  'note:': 'cyan',
};

/** Colors the label of a message, such as `warning:`, by its meaning. */
export function withLabelColor(line: string, color: boolean): string {
  const [label = ''] = /^\S+/.exec(line) ?? [];
  const known = color && Object.hasOwn(labels, label) ? labels[label] : undefined;
  return known ? paint(known, label) + line.slice(label.length) : line;
}
