/** Colors text with the sixteen colors that every color terminal has. */

const codes = {
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

export type Color = keyof typeof codes;

export function paint(color: Color, text: string): string {
  const [start, end] = codes[color];
  return text === '' ? '' : `\u001b[${start}m${text}\u001b[${end}m`;
}
