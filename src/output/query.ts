/** --query: JMESPath over a whole set of rows. */
import type { ExpressionNode } from './query-expression.ts';
import { carryDigits } from './query-expression.ts';
import { registerQueryFunctions } from './query-functions.ts';
import type { Row, Value } from './rows.ts';

/** An expression that cannot be read or applied; the message is one line, without the expression. */
export class BadQuery extends Error {
  override readonly name = 'BadQuery';
}

/**
 * The result of a JMESPath expression over the rows as one list. Whatever is only selected, filtered,
 * sorted or regrouped keeps its digits as sent, of any length, as do `max`, `min` and `sum`; the limit: a
 * comparison, arithmetic, and any other function works on double precision, and what it computes is shown so.
 */
export async function queryRows(rows: readonly Row[], expression: string): Promise<Value> {
  const jmespath = await import('@jmespath-community/jmespath');
  registerQueryFunctions(jmespath);
  try {
    const node = carryDigits(jmespath.compile(expression) as ExpressionNode);
    // The library's types know only JSON; its interpreter passes numerals through as objects.
    return jmespath.TreeInterpreter.search(node as never, rows as never) as Value;
  } catch (error) {
    throw new BadQuery(firstLine(error), { cause: error });
  }
}

/** Throws BadQuery for an expression that can't be read, before there are rows to ask. */
export async function requireQuery(expression: string): Promise<void> {
  const jmespath = await import('@jmespath-community/jmespath');
  try {
    jmespath.compile(expression);
  } catch (error) {
    throw new BadQuery(firstLine(error), { cause: error });
  }
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0] ?? message;
}
