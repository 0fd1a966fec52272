/** Values of a tape as JSON text, byte for byte as `toJson` writes them. */
import { toJson } from '../output/json-text.ts';
import type { Value } from '../output/rows.ts';
import { type Out, putAll, putByte, putSpan, putText } from './out.ts';
import type { Plan } from './plan.ts';
import { madeAt, type Scan, textAt } from './scan.ts';
import { type Source, sourceFrom } from './source.ts';
import { behind, entry, entrySize, kindAt, trait, traitsAt } from './tape.ts';

export interface JsonStyle {
  /** What stands for a quote: inside a cell of csv, two of them. */
  readonly quote: string;
  /** Each field and element has a line of its own, when this is given: where the outermost begin. */
  readonly indent?: number;
  /** What becomes of a text that is not copied as it is, once it is JSON. */
  finish?(json: string): string;
}

/** A style in the bytes that it takes. */
export interface JsonManner {
  readonly style: JsonStyle;
  readonly quote: Source;
  /** Behind the name of a field. */
  readonly colon: string;
  /** What begins a line inside so many others; undefined when all is on one line. */
  lineStart(level: number): string | undefined;
  break(level: number): Source;
}

/** The fields of a plan with their names as they are written. */
export interface JsonForm {
  readonly names: readonly Source[];
  readonly inside: readonly (JsonForm | undefined)[];
}

const comma = 0x2c;

export function jsonMannerOf(style: JsonStyle): JsonManner {
  const { indent, quote } = style;
  const isSpread = indent !== undefined;
  const lineStart = (level: number) =>
    isSpread ? `\n${' '.repeat(indent + 2 * level)}` : undefined;
  const breaks: Source[] = [];
  return {
    style,
    quote: sourceFrom(quote),
    colon: isSpread ? ': ' : ':',
    lineStart,
    break(level) {
      breaks[level] ??= sourceFrom(lineStart(level) ?? '');
      return breaks[level];
    },
  };
}

export function jsonFormOf(plan: Plan, manner: JsonManner): JsonForm {
  const { style, colon } = manner;
  return {
    names: plan.map(({ name }) => sourceFrom(toJson(name, undefined, style.quote) + colon)),
    inside: plan.map(({ inside }) => inside && jsonFormOf(inside, manner)),
  };
}

/** Any value, inside so many others; `form` names the fields of the objects in it. */
export function putJson(
  out: Out,
  scan: Scan,
  at: number,
  manner: JsonManner,
  form: JsonForm | undefined,
  level: number,
): void {
  const kind = kindAt(scan.tape, at);
  if (kind === entry.text) putString(out, scan, at, manner);
  else if (kind === entry.made) putMade(out, madeAt(scan, at), manner, level);
  else if (kind === entry.list || kind === entry.object)
    putInside(out, scan, at, manner, form, level);
  else putEntry(out, scan, at);
}

/** A list, or an object, whose fields have names. */
function putInside(
  out: Out,
  scan: Scan,
  at: number,
  manner: JsonManner,
  form: JsonForm | undefined,
  level: number,
): void {
  const { tape } = scan;
  const isObject = kindAt(tape, at) === entry.object;
  const first = at + entrySize;
  const end = behind(tape, at);
  putByte(out, isObject ? 0x7b : 0x5b);
  for (let next = first; next < end; next = behind(tape, next)) {
    if (next > first) putByte(out, comma);
    putAll(out, manner.break(level + 1));
    let inside = form;
    if (isObject) {
      const index = tape.slots[next++] as number;
      putAll(out, form?.names[index] as Source);
      inside = form?.inside[index];
    }
    putJson(out, scan, next, manner, inside, level + 1);
  }
  if (end > first) putAll(out, manner.break(level));
  putByte(out, isObject ? 0x7d : 0x5d);
}

function putString(out: Out, scan: Scan, at: number, manner: JsonManner): void {
  if ((traitsAt(scan.tape, at) & trait.invisible) !== 0) {
    putMade(out, textAt(scan, at), manner, 0);
    return;
  }
  putAll(out, manner.quote);
  putEntry(out, scan, at);
  putAll(out, manner.quote);
}

function putMade(out: Out, value: Value, { style, lineStart }: JsonManner, level: number): void {
  const json = toJson(value, lineStart(level), style.quote);
  putText(out, style.finish ? style.finish(json) : json);
}

const words: readonly Source[] = ['null', 'false', 'true'].map((word) => sourceFrom(word));

/** A scalar without quotes. */
export function putEntry(out: Out, { source, tape }: Scan, at: number): void {
  const word = words[kindAt(tape, at)];
  if (word) putAll(out, word);
  else putSpan(out, source, tape.slots[at + 1] as number, tape.slots[at + 2] as number);
}
