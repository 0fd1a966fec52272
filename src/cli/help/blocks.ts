/** What help is written in: blocks of text, and how they fit the width of a terminal. */
import { Help } from 'commander';

/** A paragraph, which is wrapped; terms with their meanings; or lines to copy, which never are. */
export type Block = string | Readonly<Record<string, string>> | readonly string[];

/** Longer lines are hard to read, however wide the terminal is. */
export const widest = 110;

/** Blank lines part the blocks, but what stands under a paragraph that ends with a colon belongs to it. */
export function textOf(blocks: readonly Block[], width: number): string {
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

/** Room below which a meaning stands under its term, and not beside it. */
const leastRoom = 34;

function termLines(terms: Readonly<Record<string, string>>, width: number): string[] {
  const column = Math.max(...Object.keys(terms).map((term) => term.length)) + 4;
  if (width - column < leastRoom) {
    return Object.entries(terms).flatMap(([term, meaning]) => [
      `  ${term}`,
      ...wrapped(meaning, width - 6).map((line) => `      ${line}`),
    ]);
  }
  return Object.entries(terms).flatMap(([term, meaning]) => {
    const [first = '', ...others] = wrapped(meaning, width - column);
    return [`  ${term}`.padEnd(column) + first, ...others.map((line) => ' '.repeat(column) + line)];
  });
}

function isLines(block: Block): block is readonly string[] {
  return Array.isArray(block);
}

/** At blanks only, and not at all where there is too little room. */
function wrapped(text: string, width: number): string[] {
  const help = Object.assign(new Help(), { minWidthToWrap: 20 });
  return help.boxWrap(text, width).split('\n');
}
