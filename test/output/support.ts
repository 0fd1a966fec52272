/** Rows and rendered text for the tests of the formats. */
import fc from 'fast-check';
import { LosslessNumber, parse } from 'lossless-json';
import { expect } from 'vitest';
import { openWriter, renderOne } from '../../src/output/render.ts';
import type { Chunk, RenderOptions } from '../../src/output/render-options.ts';
import type { Row, Value } from '../../src/output/rows/rows.ts';

/** Rows as the client returns them: parsed from JSON, with the digits of numbers as sent. */
export function rows(json: string): Row[] {
  return parse(json) as Row[];
}

/** The pages of a list, with a turn of the event loop between them. */
export async function* pages(...each: readonly (readonly Row[])[]): AsyncGenerator<readonly Row[]> {
  for (const page of each) {
    await Promise.resolve();
    yield page;
  }
}

async function joined(chunks: AsyncIterable<Chunk>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += textOf(chunk);
  return text;
}

/** These formats write no bytes. */
function textOf(chunk: Chunk): string {
  if (typeof chunk !== 'string') throw new Error('The chunk is not text.');
  return chunk;
}

/** The whole text that a command would write. */
export function shown(
  format: string,
  each: readonly (readonly Row[])[],
  options: RenderOptions = {},
): Promise<string> {
  return joined(renderPages(format, pages(...each), options));
}

/** What a command writes: after an error, the end that makes it whole, and the error. */
export async function* renderPages(
  format: string,
  each: AsyncIterable<readonly Row[]>,
  options: RenderOptions,
): AsyncGenerator<Chunk> {
  const { add, end, close } = await openWriter(format, options);
  try {
    for await (const page of each) {
      const text = add(page, '');
      if (text.length > 0) yield text;
    }
  } catch (error) {
    yield* await end(true);
    throw error;
  }
  yield* await end(false);
  close?.();
}

export async function shownOne(
  format: string,
  value: Value,
  options: RenderOptions = {},
): Promise<string> {
  return textOf(await renderOne(format, value, options));
}

/** The lines of a text that must be empty or end with a line feed. */
export function lines(text: string): string[] {
  expect(text).toMatch(/(^|\n)$/);
  return text === '' ? [] : text.slice(0, -1).split('\n');
}

/** Characters of data that must never reach a terminal: control, bidirectional and zero-width ones. */
export const steering =
  /(?!\n)[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

/** Any number, also with digits that a double cannot represent. */
export const anyNumeral = fc
  .stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,4})?$/)
  .map((digits) => new LosslessNumber(digits));
