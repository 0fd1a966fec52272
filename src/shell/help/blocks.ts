/** Help is written in blocks of text, which are laid out for the width of a terminal. */
/** A paragraph, which may have several lines; a list of terms with their meanings; or command lines to copy. */
export type Block = string | Readonly<Record<string, string>> | readonly string[];

/** Maximum width of text: longer lines are hard to read on any terminal. */
const widest = 110;

/** With blank lines between blocks, except after a paragraph that ends with a colon; no line break at the end. */
export function textOf(blocks: readonly Block[], width = 80): string {
  const fitting = Math.min(width, widest);
  const parts = blocks.map((block, i) => {
    const isLead = typeof block === 'string' && block.endsWith(':');
    return `${linesOf(block, fitting).join('\n')}${isLead || i === blocks.length - 1 ? '' : '\n'}`;
  });
  return parts.join('\n');
}

function linesOf(block: Block, width: number): string[] {
  if (typeof block === 'string') return wrapped(block, width);
  if (isLines(block)) return block.flatMap((line) => brokenCommand(line, width));
  return termLines(block, width);
}

/** At 80 columns, the meaning of a longer term is below it. */
export const longestTerm = 32;

/** Minimum width of the meanings beside longer terms. */
const meaningWidth = 56;

/** With fewer columns than this beside the terms, or if most terms are longer, every meaning stands below its term. */
const leastWidth = 34;

function termLines(terms: Readonly<Record<string, string>>, width: number): string[] {
  const lengths = Object.keys(terms).map((term) => term.length);
  const longest = Math.max(longestTerm, width - meaningWidth - 4);
  const beside = lengths.filter((length) => length <= longest);
  const column = Math.max(0, ...beside) + 4;
  const isRagged = beside.length * 2 < lengths.length;
  const isNarrow = isRagged || column === 4 || width - column < leastWidth;
  const indent = isNarrow ? 6 : column;
  return Object.entries(terms).flatMap(([padded, meaning]) => {
    const term = padded.trimEnd();
    const lines = wrapped(meaning, width - indent).map((line) => ' '.repeat(indent) + line);
    if (isNarrow || term.length > longest) return [...linesOfTerm(term, width), ...lines];
    return [`  ${term}`.padEnd(indent) + (lines[0] ?? '').trimStart(), ...lines.slice(1)];
  });
}

function linesOfTerm(term: string, width: number): string[] {
  if (/^cb( |$)/.test(term)) return brokenCommand(term, width);
  return wrapped(term, width - 4).map((line, i) => (i === 0 ? `  ${line}` : `    ${line}`));
}

function isLines(block: Block): block is readonly string[] {
  return Array.isArray(block);
}

/** Breaks each line of a text at spaces, unless the terminal is too narrow. */
function wrapped(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => (width < 20 ? [line] : filled(line.split(' '), width)));
}

/** Lines of as many words as fit, the first of them after `start`, and the others after `next`. */
function filled(words: readonly string[], width: number, start = '', next = ''): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last !== undefined && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push((last === undefined ? start : next) + word);
  }
  return lines;
}

const indentOfLine = '  ';
const continued = ' \\';

/** Breaks a long line between words, with a backslash at each break. Only a longer word stays too long. */
function brokenCommand(line: string, width: number): string[] {
  if (indentOfLine.length + line.length <= width) return [indentOfLine + line];
  const room = width - continued.length;
  const lines = filled(wordsOf(line), room, indentOfLine, indentOfLine.repeat(2));
  return lines.map((text, i) => (i < lines.length - 1 ? text + continued : text));
}

/** Splits a command line into words, and keeps their quotes. */
function wordsOf(line: string): string[] {
  return line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
}
