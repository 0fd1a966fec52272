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
  { rows, next }: Part<ToolRow>,
  more = '',
): ToolResult {
  return {
    summary: `${countOf(rows.length, noun)}${more}${moreOf(next)}.`,
    data: { rows, ...(next !== undefined && { next }) },
    lines: linesOf(columns, rows),
  };
}

/** As in `1 ticket` and `3 tickets`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function moreOf(next: string | undefined): string {
  return next === undefined ? '' : ', and there are more: pass next as cursor';
}
