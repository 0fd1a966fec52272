/** Draws lines on stderr: each is cut or wrapped to the terminal, and none can control it. */
import { type Color, paint } from '../../../output/paint.ts';
import { blanks, cut, displayWidth, widest, wrap } from '../../../output/table/display-width.ts';
import { plain } from '../../../output/table/terminal-text.ts';
import { hasColor } from '../../../shell/context.ts';
import type { KeyChoice } from '../../../shell/terminal/prompts.ts';
import { heightOf, type WorkContext, widthOf } from './work-context.ts';

export interface Line {
  readonly text: string;
  readonly color?: Color | undefined;
}

type Screen = Pick<WorkContext, 'cmd'>;

const clear = '\u001b[H\u001b[2J';

export function clearScreen({ cmd: { context } }: Screen): void {
  if (context.env.TERM !== 'dumb' && !context.isPlain) context.stderr.write(clear);
}

export function draw({ cmd: { context, flags } }: Screen, lines: readonly Line[]): void {
  const color = hasColor(context, context.stderr, flags);
  const texts = lines.map((line) => {
    const text = plain(line.text);
    return line.color && color ? paint(line.color, text) : text;
  });
  context.stderr.write(texts.map((text) => `${text}\n`).join(''));
}

/** A text as lines; the lines after the first are indented by the width of `lead`. At most `most` lines. */
export function wrapped(
  screen: Screen,
  text: string,
  { lead = '', most = Number.POSITIVE_INFINITY, color }: WrapOptions = {},
): Line[] {
  const width = Math.max(8, widthOf(screen) - displayWidth(lead));
  const all = wrap(plain(text), width);
  const lines = all.slice(0, most);
  const last = lines.at(-1);
  if (all.length > most && last !== undefined) {
    lines[lines.length - 1] = cut(`${last} ${all[most] ?? ''}`, width);
  }
  const indent = blanks('', displayWidth(lead));
  return lines.map((line, i) => ({ text: (i === 0 ? lead : indent) + line, color }));
}

interface WrapOptions {
  readonly lead?: string;
  readonly most?: number;
  readonly color?: Color;
}

/** Labels in one column, and texts beside them, which wrap to at most two lines. */
export function labeled(
  screen: Screen,
  pairs: readonly (readonly [label: string, text: string])[],
  most = 2,
): Line[] {
  const columns = widest(pairs.map(([label]) => label));
  return pairs.flatMap(([label, text]) =>
    wrapped(screen, text, { lead: `${label}${blanks(label, columns)}  `, most }),
  );
}

/** One line with a text at each side, or with the left one alone where there is no room. */
export function twoSided(screen: Screen, left: string, right: string): string {
  if (screen.cmd.context.isPlain) return `${plain(left)}, ${right}`;
  const width = widthOf(screen);
  const room = width - displayWidth(right);
  if (displayWidth(plain(left)) + 2 > room) return cut(plain(left), width);
  return `${plain(left)}${blanks(plain(left), room)}${right}`;
}

/** Shows a text of any length, a screen at a time. Resolves to the key of `keys` that left it, or to `escape`. */
export async function showPaged(
  context: WorkContext,
  lines: readonly Line[],
  keys: readonly KeyChoice[] = [{ key: 'q' }],
): Promise<string> {
  const { prompts } = context;
  const size = heightOf(context) - 3;
  for (let start = 0; start < lines.length; start += size) {
    clearScreen(context);
    draw(context, lines.slice(start, start + size));
    const isLast = start + size >= lines.length;
    const next = isLast ? 'back to the ticket' : `more (${lines.length - start - size} lines)`;
    const key = await prompts.key('', [
      { key: 'space', name: next },
      { key: 'enter' },
      ...(isLast ? [{ key: 'escape' }] : [{ key: 'escape', name: 'back to the ticket' }]),
      ...keys,
    ]);
    if (key !== 'space' && key !== 'enter') return key;
  }
  return 'escape';
}
