/** What all tools that return lists have in common. */
import type { Part } from '../rows/paging.ts';
import { linesOf, type ToolRow } from '../rows/pick.ts';
import { listOf, type ObjectSchema, outputOf, type Schema, text } from '../rows/schemas.ts';
import type { ToolResult } from '../tool.ts';

/** Rows, and `next` if there are more. */
export function listOutput(row: Schema): ObjectSchema {
  return outputOf({ rows: listOf(row), next: text() }, ['rows']);
}

/** `columns` are the fields for clients that show only text. */
export function listResult(
  noun: string,
  columns: readonly string[],
  part: Part<ToolRow>,
  more = '',
): ToolResult {
  return {
    summary: `${partText(part, noun, more)}.`,
    data: { rows: part.rows, ...pagingOf(part) },
    lines: linesOf(columns, part.rows),
    isOurs: part.rows.length === 0,
  };
}

/** As in `1 ticket` and `3 tickets`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** As in `25 of 130 tickets with status open, and there are more: pass cursor "3f….1.25"`. */
export function partText<Row>({ rows, next, total }: Part<Row>, noun: string, more = ''): string {
  const isPart = total !== undefined && total > rows.length;
  const count = isPart ? `${rows.length} of ${countOf(total, noun)}` : countOf(rows.length, noun);
  return `${count}${more}${next === undefined ? '' : `, and there are more: pass cursor "${next}"`}`;
}

/** The members of a result that tell how much of the list it has. */
export function pagingOf<Row>({ next, total }: Part<Row>) {
  return { ...(total !== undefined && { total }), ...(next !== undefined && { next }) };
}
