/** HTML and SVG templates that escape every inserted value except other markup. */
import { plain } from '../table/terminal-text.ts';

export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[];

/** A markup template; inserted text is shown unchanged, on one line, without control characters. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const markup = strings.reduce((text, string, i) => text + written(parts[i - 1] ?? '') + string);
  return { markup };
}

function written(part: Part): string {
  if (typeof part === 'number') return String(Math.round(part * 100) / 100);
  if (typeof part === 'string') {
    return plain(part).replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
  }
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

/** Signs that have a meaning in HTML and XML. */
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
