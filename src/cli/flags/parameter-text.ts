/** Describes the parameters of the catalogue in words, for help. */
import type { Param } from '../../operations/operation.ts';

/** `full` lists every value with its meaning; `brief` fits a short help page. */
export interface ParameterText {
  readonly full: string;
  readonly brief: string;
}

export function parameterText(param: Param): ParameterText {
  const { summary, values = {}, wildcard, fallback, required } = param;
  const rest = [
    wildcard ? '; % matches any text' : '',
    fallback ? ` (default: ${fallback})` : '',
    required ? ' (required)' : '',
  ].join('');
  const listed = Object.entries(values).map(withMeaning);
  if (listed.length === 0) return { full: summary + rest, brief: summary + rest };
  return {
    full: `${summary}: ${listed.join(', ')}${rest}`,
    brief: `${summary}${briefValues(param, listed)}${rest}`,
  };
}

function withMeaning([value, meaning]: readonly [string, string]): string {
  return meaning ? `${value} (${meaning})` : value;
}

/** Maximum number of characters for the values of one parameter on a short page: about two lines. */
const briefLength = 110;

function briefValues({ values = {}, topic }: Param, listed: readonly string[]): string {
  if (topic !== undefined) return `; see cb help ${topic}`;
  const texts = [listed, Object.keys(values)].map((some) => some.join(', '));
  const fitting = texts.find((text) => text.length <= briefLength);
  return fitting === undefined ? ` (${listed.length} values)` : `: ${fitting}`;
}
