/** What help is written in: blocks of text, and how they fit the width of a terminal. */

/** A paragraph, which is wrapped; terms with their meanings; or lines to copy, which never are. */
export type Block = string | Readonly<Record<string, string>> | readonly string[];

/** Longer lines are hard to read, however wide the terminal is. */
const widest = 110;

/**
 * Blank lines separate the blocks, except after a paragraph that ends with a colon. No line break follows
 * the last line.
 */
export function textOf(blocks: readonly Block[], width = 80): string {
  const fitting = Math.min(width, widest);
  const parts = blocks.map((block, i) => {
    const leads = typeof block === 'string' && block.endsWith(':');
    return `${linesOf(block, fitting).join('\n')}${leads || i === blocks.length - 1 ? '' : '\n'}`;
  });
  return parts.join('\n');
}

function linesOf(block: Block, width: number): string[] {
  if (typeof block === 'string') return wrapped(block, width);
  if (isLines(block)) return block.map((line) => `  ${line}`);
  return termLines(block, width);
}

/** Columns below which a meaning stands under its term, and not beside it. */
const leastRoom = 34;

function termLines(terms: Readonly<Record<string, string>>, width: number): string[] {
  const column = Math.max(...Object.keys(terms).map((term) => term.length)) + 4;
  const isNarrow = width - column < leastRoom;
  const indent = isNarrow ? 6 : column;
  return Object.entries(terms).flatMap(([term, meaning]) => {
    const [first = '', ...others] = wrapped(meaning, width - indent);
    const lines = [first, ...others].map((line) => ' '.repeat(indent) + line);
    const beside = `  ${term}`.padEnd(column) + first;
    return isNarrow ? [`  ${term}`.trimEnd(), ...lines] : [beside.trimEnd(), ...lines.slice(1)];
  });
}

function isLines(block: Block): block is readonly string[] {
  return Array.isArray(block);
}

/** Breaks a text at blanks, and not at all where there is too little room. */
function wrapped(text: string, width: number): string[] {
  if (width < 20) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
