/** `npm run picture`: writes the moving picture in the README: commands as typed, and what they print on the sandbox. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import terminals, { type IBufferLine, type Terminal } from '@xterm/headless';
import { html } from '../output/report/markup.ts';
import { displayWidth } from '../output/table/display-width.ts';
import { runOnScreen } from './screen.ts';

const columns = 84;
const rows = 27;

interface Scene {
  readonly line: string;
  /** How long the end is shown. */
  readonly seconds: number;
  /** Each key is pressed when the screen shows a text, and this text was shown for some seconds. */
  readonly keys?: readonly (readonly [text: string, seconds: number, key: string])[];
  /** Follows below the scene before, and is what readers see who turned off motion. */
  readonly isLast?: boolean;
}

const enter = '\r';
const up = '\x1b[A';
const down = '\x1b[B';

const scenes: readonly Scene[] = [
  { line: 'cb today', seconds: 3 },
  {
    line: 'cb tickets refund DIGITAL1',
    seconds: 0.3,
    keys: [
      ['❯ Refund', 2, enter],
      ['❯ Full', 1, enter],
      ['❯ product never received', 0.5, down],
      ['❯ not satisfied', 0.7, enter],
      ['Comment on the ticket', 0.6, enter],
      ['❯ Cancel', 1.5, up],
      ['❯ Back', 0.2, up],
      ['❯ Send it', 0.8, enter],
      ['Another customer?', 2.5, enter],
    ],
  },
  { line: 'cb sync shop.db --since 2025-11-01 --tables orders', seconds: 1 },
  {
    line: 'cb metrics cohorts --database shop.db --period last-4-months',
    seconds: 4,
    isLast: true,
  },
];

/** Elements of SVG for each row of the screen, and how long they are shown. */
interface Frame {
  readonly rows: readonly string[];
  readonly seconds: number;
}

/** Returns the same SVG on every run, because the clock stands still and the sandbox creates the same orders. */
async function sessionPicture(): Promise<string> {
  // The library of the prompts would ask the terminal of this process, which a test has none of.
  process.env.FORCE_COLOR = '1';
  const home = mkdtempSync(join(tmpdir(), 'cb-picture-'));
  const terminal = new terminals.Terminal({
    cols: columns,
    rows,
    convertEol: true,
    allowProposedApi: true,
  });
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const screen = {
    ...{ home, stdin },
    now: () => new Date('2026-03-18T18:30:00Z'),
    onText: (text: string) => terminal.write(text.replaceAll(home, '/home/ada')),
  };
  const frames: Frame[] = [];
  const show = async (text: string, seconds: number) => {
    await new Promise<void>((resolve) => terminal.write(text, resolve));
    frames.push({ rows: linesOf(terminal).map(rowElements), seconds });
  };
  try {
    // The first command creates the sample orders and says so.
    await runOnScreen({ ...screen, columns, onText: () => undefined }, 'cb sandbox status');
    for (const { line, seconds, keys = [], isLast } of scenes) {
      if (!isLast) terminal.reset();
      await show('\x1b[36m$\x1b[0m ', 0.5);
      for (const letter of line) await show(letter, 0.03);
      await show('\n', 0.3);
      // The path of the folder, which is replaced, must not decide where a line ends.
      const width = line.startsWith('cb sync') ? 200 : columns;
      const running = runOnScreen({ ...screen, columns: width }, line);
      for (const [text, pause, key] of keys) {
        const isShown = (line: IBufferLine) => line.translateToString().includes(text);
        for (let turns = 0; !linesOf(terminal).some(isShown); turns += 1) {
          if (turns === 20_000) throw new Error(`The screen never shows '${text}'.`);
          await new Promise<void>((resolve) => terminal.write('', resolve));
        }
        await show('', pause);
        stdin.write(key);
      }
      await running;
      await show('', seconds);
    }
    return pictureOf(frames);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** What the terminal shows. */
function linesOf({ buffer: { active } }: Terminal): IBufferLine[] {
  return Array.from({ length: rows }, (_, row) => active.getLine(active.baseY + row)).filter(
    (line) => line !== undefined,
  );
}

const cell = { width: 8.4, height: 20 };
const margin = 20;
const width = columns * cell.width + 2 * margin;
const height = rows * cell.height + 2 * margin;

/** Colors on light and dark pages. A number is a color of the terminal. */
const colors: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  background: ['#f6f8fa', '#16181d'],
  text: ['#1f2328', '#e4e6eb'],
  dim: ['#636c76', '#8d94a3'],
  '1': ['#cf222e', '#f07178'],
  '2': ['#1a7f37', '#9ccc65'],
  '3': ['#7d4e00', '#e6c35c'],
  '4': ['#0969da', '#6cb0ff'],
  '6': ['#0b7285', '#63c5da'],
};

const ruleOf = (theme: 0 | 1) => (name: string) => `.c${name}{fill:${colors[name]?.[theme]}}`;

/** For screen readers. */
const title =
  'A session with cb on the sandbox: the earnings of today, a refund, a copy of the orders, and a table of cohorts';

function pictureOf(frames: readonly Frame[]): string {
  const moments = [0];
  for (const { seconds } of frames) moments.push((moments.at(-1) ?? 0) + seconds);
  const total = moments.at(-1) ?? 0;
  const percent = (frame: number) => `${(((moments[frame] ?? 0) / total) * 100).toFixed(2)}%`;
  const rules: string[] = [];
  const body: string[] = [];
  for (const [times, elements] of unchangedRows(frames)) {
    const [from = 0, to = 0] = times.split(' ').map(Number);
    const isLast = to === frames.length;
    const name = `t${rules.length}`;
    const start = from === 0 ? '' : '0%{visibility:hidden}';
    const end = isLast ? '' : `${percent(to)}{visibility:hidden}`;
    rules.push(`@keyframes ${name}{${start}${percent(from)}{visibility:visible}${end}}`);
    body.push(
      `<g${isLast ? '' : ' visibility="hidden"'} style="animation-name:${name}">`,
      ...elements,
      '</g>',
    );
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">`,
    '<style>',
    ...Object.keys(colors).map(ruleOf(0)),
    `@media (prefers-color-scheme:dark){${Object.keys(colors).map(ruleOf(1)).join('')}}`,
    `@media (prefers-reduced-motion:no-preference){g g{animation:${total.toFixed(1)}s step-end infinite}}`,
    ...rules,
    '</style>',
    '<rect width="100%" height="100%" rx="8" class="cbackground"/>',
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    ...body,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Returns the elements of rows by the first frame that has them and the first one after it that doesn't, as in `3 17`. */
function unchangedRows(frames: readonly Frame[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (let row = 0; row < rows; row += 1) {
    let [elements, from]: [string | undefined, number] = ['', 0];
    for (const [to, next] of [...frames.map((frame) => frame.rows[row]), undefined].entries()) {
      if (next === elements) continue;
      const times = `${from} ${to}`;
      if (elements) found.set(times, [...(found.get(times) ?? []), elements]);
      [elements, from] = [next, to];
    }
  }
  return found;
}

/** Splits a row where the color changes and at two or more spaces. */
function rowElements(line: IBufferLine, row: number): string {
  const parts: { text: string; color: string }[] = [];
  for (let column = 0; column < columns; column += 1) {
    const one = line.getCell(column);
    // The second half of a wide character.
    if (!one || one.getWidth() === 0) continue;
    const text = one.getChars() || ' ';
    const color = one.isDim() ? 'dim' : one.isFgPalette() ? String(one.getFgColor() % 8) : 'text';
    const last = parts.at(-1);
    if (last?.color === color) last.text += text;
    else parts.push({ text, color });
  }
  let column = 0;
  const elements: string[] = [];
  for (const { text, color } of parts) {
    for (const { 0: span, index } of text.matchAll(/[^ ]+(?: [^ ]+)*/g)) {
      const start = column + displayWidth(text.slice(0, index));
      elements.push(textElement(span, color, row, start));
    }
    column += displayWidth(text);
  }
  return elements.join('');
}

/** Sets position and length of the text, so columns line up in any font. */
function textElement(text: string, color: string, row: number, column: number): string {
  const x = margin + column * cell.width;
  const y = margin + row * cell.height + 14;
  const length = displayWidth(text) * cell.width;
  return html`<text x="${x}" y="${y}" class="c${color}" textLength="${length}">${text}</text>`
    .markup;
}

writeFileSync(process.argv[2] ?? 'docs/session.svg', await sessionPicture());
