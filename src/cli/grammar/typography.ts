/** Recognizes characters that a word processor, a chat or a web page put in place of those that a shell reads. */
import { usage } from '../runtime/failure.ts';

const dash = /^[\u2010-\u2015\u2212]{1,2}-?(?=[a-z])/i;
const quote = /^((?:--[\w-]+=)?)[\u201c-\u201f\u2018-\u201b\u00ab]\S*$/;
/** Spaces that a shell takes for letters. */
const blank = /[\u00a0\u2007\u202f]/;

/** Throws a usage failure that shows the word as it must be typed. */
export function refuseTypography(tokens: readonly string[]): void {
  const wrong = tokens.find((token) => isDashed(token) || quote.test(token) || isJoined(token));
  if (wrong === undefined) return;
  if (isDashed(wrong)) {
    const name = wrong.replace(dash, '');
    const right = `${/^\w(=|$)/.test(name) ? '-' : '--'}${name}`;
    throw usage(`'${wrong}' begins with a typographic dash instead of hyphens.`, {
      hint: `Did you mean ${right}?`,
    });
  }
  if (isJoined(wrong)) {
    throw usage(`'${wrong}' contains a no-break space, which does not separate words.`, {
      hint: `Did you mean ${wrong.replace(new RegExp(blank, 'gu'), ' ')}?`,
    });
  }
  throw usage(`'${wrong}' has typographic quotes, which the shell does not treat as quotes.`, {
    hint: `Did you mean '${quotedText(tokens.slice(tokens.indexOf(wrong)))}'?`,
  });
}

/** The words from the opening quote to the closing one. */
function quotedText(tokens: readonly string[]): string {
  const last = tokens.findIndex((token) => /[\u201c-\u201f\u2018-\u201b\u00bb]$/.test(token));
  const text = tokens.slice(0, last < 0 ? 1 : last + 1).join(' ');
  return text.replace(/^--[\w-]+=/, '').replace(/[\u201c-\u201f\u2018-\u201b\u00ab\u00bb]/g, '');
}

function isDashed(token: string): boolean {
  return dash.test(token) && !/\s/.test(token);
}

/** `--limit 5` with a no-break space. */
function isJoined(token: string): boolean {
  return /^--?[a-z]/i.test(token) && !token.includes('=') && blank.test(token);
}
