/** What a terminal shows as a picture: SVG, with the colours of the text. */
import { displayWidth } from '../../output/table/display-width.ts';

/** Where text stands in a line, in columns, and how it looks. */
interface Run {
  readonly text: string;
  readonly column: number;
  readonly fill: string;
}

const cell = { width: 8.4, height: 20 };
const margin = 20;

/** Its own ground, so that it looks the same on a light page and on a dark one. */
const ground = '#16181d';
const ink = '#e4e6eb';
const inks: Readonly<Record<string, string>> = {
  '2': '#8d94a3',
  '31': '#f07178',
  '32': '#9ccc65',
  '33': '#e6c35c',
  '36': '#63c5da',
};

/** `text` is lines as a program writes them to a terminal that is `columns` wide. */
export function pictureOf(text: string, columns: number, title: string): string {
  const lines = text.trimEnd().split('\n');
  const width = columns * cell.width + 2 * margin;
  const height = lines.length * cell.height + 2 * margin;
  const body = lines.flatMap((line, row) => runsOf(line).map((run) => textAt(run, row)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<rect width="100%" height="100%" rx="8" fill="${ground}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    ...body,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Columns keep their place whatever font a reader has: each run starts where it should, and is as wide. */
function textAt({ text, column, fill }: Run, row: number): string {
  const x = tidy(margin + column * cell.width);
  const y = tidy(margin + row * cell.height + 14);
  const length = tidy(displayWidth(text) * cell.width);
  return `<text x="${x}" y="${y}" fill="${fill}" textLength="${length}" xml:space="preserve">${escaped(text)}</text>`;
}

/** A line in pieces of one colour; two blanks or more part pieces too. */
function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  let column = 0;
  const [start = '', ...painted] = line.split('\x1b[');
  for (const part of [`m${start}`, ...painted]) {
    const end = part.indexOf('m');
    const fill = inks[part.slice(0, end)] ?? ink;
    for (const [text] of part.slice(end + 1).matchAll(/ {2,}|(?:(?! {2}).)+/g)) {
      if (text.trim() !== '') runs.push({ text, column, fill });
      column += displayWidth(text);
    }
  }
  return runs;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function tidy(number: number): string {
  return String(Math.round(number * 10) / 10);
}
