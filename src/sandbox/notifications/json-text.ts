/** Writes JSON whose numbers keep their digits, such as `1.00`, and which omits missing fields. */
import { moneyText } from '../money/money.ts';

/** A number with exactly these digits. */
export class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An amount with two decimals. */
export function amount(cents: number): Digits {
  return new Digits(moneyText(cents));
}

function jsonText(value: unknown): string {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${membersText(value)}}`;
}

/** The members of an object without its braces. Skips null and undefined. */
export function membersText(value: object): string {
  return Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`)
    .join(',');
}
