/** Text in the sixteen colors that every color terminal has. */
import { Chalk } from 'chalk';

/** The caller decides whether there is color, so chalk does not look at the environment. */
const chalk = new Chalk({ level: 1 });

export type Color = 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

export function paint(color: Color, text: string): string {
  return chalk[color](text);
}
