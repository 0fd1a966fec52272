/** Turns terminal output with ANSI colors into an SVG picture. */
import { displayWidth } from '../../output/table/display-width.ts';

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
export function pictureOf(text: string, columns: number, title: string): string {
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
