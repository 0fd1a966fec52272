/** The picture in the README: commands as typed, and what they print on the sandbox. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { displayWidth } from '../output/table/display-width.ts';
import { runOnScreen, wrapCommand } from './screen.ts';

export const pictureFile = fileURLToPath(new URL('../../docs/session.svg', import.meta.url));

const columns = 84;

const session = [
  'cb orders list --period today --limit 5',
  "cb orders list --email 'ada.sample%' --period last-7-days --fields receipt,totalOrderAmount,customerRefundableState",
  'cb analytics dimension AFFILIATE --role VENDOR --account GREENLEAF --period last-month --chart --limit 5',
  'cb tickets create DIGITAL1 --type rfnd --reason ticket.type.refund.2 --refund-type FULL --dry-run',
  'cb ordres list',
];

/** Returns the same SVG on every run, because the clock stands still and the sandbox creates the same orders. */
export async function sessionPicture(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'cb-picture-'));
  const screen = { home, columns, now: () => new Date('2026-03-18T18:30:00Z') };
  try {
    // The first command creates the sample orders and says so.
    await runOnScreen(screen, 'cb sandbox status');
    const parts: string[] = [];
    for (const line of session) {
      parts.push(
        `\x1b[36m$\x1b[0m ${wrapCommand(line, columns)}\n${await runOnScreen(screen, line)}`,
      );
    }
    return pictureOf(parts.join('\n'), columns, 'A session with cb on the sandbox');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Text of one color, and the column where it starts. */
interface Span {
  readonly text: string;
  readonly column: number;
  readonly fill: string;
}

const cell = { width: 8.4, height: 20 };
const margin = 20;

/** The picture has a background of its own, so it looks the same on light and dark pages. */
const background = '#16181d';
const defaultColor = '#e4e6eb';
const colors: Readonly<Record<string, string>> = {
  '2': '#8d94a3',
  '31': '#f07178',
  '32': '#9ccc65',
  '33': '#e6c35c',
  '36': '#63c5da',
};

/** `text` is what a program wrote to a terminal that is `columns` wide; `title` describes the picture to screen readers. */
function pictureOf(text: string, columns: number, title: string): string {
  const lines = text.trimEnd().split('\n');
  const width = columns * cell.width + 2 * margin;
  const height = lines.length * cell.height + 2 * margin;
  const body = lines.flatMap((line, row) => spansOf(line).map((span) => textElement(span, row)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<rect width="100%" height="100%" rx="8" fill="${background}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    ...body,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Sets position and length of the text, so columns line up in any font. */
function textElement({ text, column, fill }: Span, row: number): string {
  const x = rounded(margin + column * cell.width);
  const y = rounded(margin + row * cell.height + 14);
  const length = rounded(displayWidth(text) * cell.width);
  return `<text x="${x}" y="${y}" fill="${fill}" textLength="${length}" xml:space="preserve">${escaped(text)}</text>`;
}

/** Splits a line where the color changes and at two or more spaces. */
function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let column = 0;
  const [start = '', ...colored] = line.split('\x1b[');
  for (const part of [`m${start}`, ...colored]) {
    const end = part.indexOf('m');
    const fill = colors[part.slice(0, end)] ?? defaultColor;
    for (const [text] of part.slice(end + 1).matchAll(/ {2,}|(?:(?! {2}).)+/g)) {
      if (text.trim() !== '') spans.push({ text, column, fill });
      column += displayWidth(text);
    }
  }
  return spans;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function rounded(number: number): string {
  return String(Math.round(number * 10) / 10);
}
