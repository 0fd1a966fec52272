/** Removes escape sequences and control characters from API data, so that they never reach the terminal. */

/** Whole escape sequences: CSI; OSC, DCS, SOS, PM and APC up to their end; other escapes. */
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
 * Invisible characters that change how other text is shown: C0 and C1 controls, DEL, bidirectional controls,
 * zero-width and other ignorable characters, lone surrogates. Variation selectors are kept: they only choose
 * the glyph of an emoji or of a Japanese name.
 */
const invisible =
  /(?!\p{Variation_Selector}|[\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Joiners are kept where a script needs them: inside words of scripts that join or stack their letters, and ZWJ
 * between the parts of an emoji. There, both sides are visible and string-width measures the whole, so they can
 * neither hide text nor shift a column. Anywhere else, such as between Latin letters, they only deceive.
 */
const joiningScripts = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
].map((script) => `\\p{Script=${script}}`);

let strayJoiners: RegExp | undefined;

/** Compiled for the first text that is not ASCII, because Unicode tables are slow to load. */
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

/** Line breaks and tabs become one space. An unterminated sequence loses its controls, and the rest is shown. */
export function plain(text: string): string {
  if (printableAscii.test(text)) return text;
  return text
    .replace(sequences, '')
    .replace(lineBreaks, ' ')
    .replace(invisible, '')
    .replace(findStrayJoiners(), '');
}

const printableLines = /^[\t\n -~]*$/;

/** Controls become `\uXXXX`, so that JSON stays the same; line feeds, tabs and CR at the end of a line stay. */
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

/** The same for tables and charts, whose colors are kept. */
export function visibleDrawing(text: string): string {
  const parts = text.split(color);
  return parts.map((part, i) => (i % 2 === 1 ? part : visible(part))).join('');
}

/** Writes each UTF-16 code unit as `\uXXXX`. */
export function escaped(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16));
  return units.map((unit) => `\\u${unit.padStart(4, '0')}`).join('');
}
