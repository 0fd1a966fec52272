/** Text of spreadsheets in XML. Characters that XML forbids are written as `_xHHHH_`, which spreadsheets read back. */

/** The longest text that a cell holds, in UTF-16 units. */
export const longestText = 32_767;

const special = /[&<>"\r_\ud800-\udfff\ufffe\uffff]|[^\P{Cc}\t\n]/u;
const parts = /[&<>"]|_(?=x[0-9A-Fa-f]{4}_)|[\r\ufffe\uffff]|[^\P{Cc}\t\n]|\p{Cs}/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Cuts what is longer than a cell; a lone half of a surrogate pair becomes U+FFFD. */
export function xmlText(text: string): string {
  const cut = text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
  return special.test(cut) ? cut.replace(parts, escaped) : cut;
}

function escaped(character: string): string {
  const entity = entities[character];
  if (entity !== undefined) return entity;
  if (/\p{Cs}/u.test(character)) return '\ufffd';
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}
