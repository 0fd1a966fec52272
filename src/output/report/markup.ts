/** Builds HTML and SVG as text. Inserted texts are escaped, unless they are markup themselves. */
import { plain } from '../table/terminal-text.ts';

export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[];

/** A template of markup. Inserted texts are escaped and kept on one line. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const markup = strings.reduce((text, string, i) => text + written(parts[i - 1] ?? '') + string);
  return { markup };
}

function written(part: Part): string {
  if (typeof part === 'number') return String(Math.round(part * 100) / 100);
  if (typeof part === 'string') return escaped(plain(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
}
