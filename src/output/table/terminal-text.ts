/** Makes text from the service safe for a terminal. */

/** Whole escape sequences: CSI; OSC, DCS, SOS, PM and APC up to their end; others. */
const sequences = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]',
    '(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u0090\\u0098\\u009c-\\u009f]*(?:\\u0007|\\u001b\\\\|\\u009c)',
    '\\u001b[ -/]*[0-Z\\\\^-~]',
  ].join('|'),
  'g',
);

const lineBreaks = /\r\n|[\n\t\v\f\u0085\u2028\u2029]/g;

/**
 * Invisible characters that affect their surroundings: C0 and C1 controls, DEL, bidirectional controls, zero-width
 * and other ignorable characters, lone surrogates. Variation selectors stay: they select the glyph of an emoji or
 * of a Japanese name and move nothing.
 */
const invisible =
  /(?!\p{Variation_Selector}|[\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Joiners stay where writing needs them: inside words of scripts that join or stack their letters, and ZWJ between
 * the parts of an emoji. Both neighbors are visible there and string-width measures the whole, so they can neither
 * hide text nor shift a column. Anywhere else, as between Latin letters, they can only deceive.
 */
const joiningScripts = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
].map((script) => `\\p{Script=${script}}`);

let strayJoiners: RegExp | undefined;

/** Created for the first text that is not ASCII, because Unicode's tables are slow to load. */
function findStrayJoiners(): RegExp {
  strayJoiners ??= new RegExp(
    [
      `(?<!${joiningScripts.join('|')}|\\p{Extended_Pictographic}\\p{M}?|\\p{Emoji_Modifier})[\\u200c\\u200d]`,
      '[\\u200c\\u200d](?![\\p{L}\\p{M}\\p{Extended_Pictographic}])',
    ].join('|'),
    'gu',
  );
  return strayJoiners;
}

export const printableAscii = /^[ -~]*$/;

/**
 * Removes everything that could control a terminal. Line breaks and tabs become one space, so that the text stays
 * on one line. A sequence without its end loses its control characters and shows the rest.
 */
export function plain(text: string): string {
  if (printableAscii.test(text)) return text;
  return text
    .replace(sequences, '')
    .replace(lineBreaks, ' ')
    .replace(invisible, '')
    .replace(findStrayJoiners(), '');
}

const printableLines = /^[\t\n -~]*$/;

/**
 * Escapes data for a terminal: control characters become `\uXXXX`, so that JSON stays the same JSON. Line feeds and
 * tabs stay, because lines and columns consist of them, and so does CR at the end of a line.
 */
export function visible(text: string): string {
  if (printableLines.test(text)) return text;
  return text
    .replace(/[\u2028\u2029]/g, escaped)
    .replace(invisible, (character, at: number) => {
      const next = text[at + 1];
      const ends =
        character === '\n' || character === '\t' || (character === '\r' && next === '\n');
      return ends ? character : escaped(character);
    })
    .replace(findStrayJoiners(), escaped);
}

const esc = '\u001b';
const color = new RegExp(`(${esc}\\[[\\d;]*m)`);

/** Like `visible`, for text that cb has drawn, which may contain colors. */
export function visibleDrawing(text: string): string {
  const parts = text.split(color);
  return parts.map((part, i) => (i % 2 === 1 ? part : visible(part))).join('');
}

/** Writes each UTF-16 code unit as `\uXXXX`. */
export function escaped(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16));
  return units.map((unit) => `\\u${unit.padStart(4, '0')}`).join('');
}
