/** Arithmetic with amounts as decimal strings, so that no digit is lost; and how numbers and counts are written. */
const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Returns the exact sum of decimal numbers, with as many decimals as the most precise of them: 11.90 and 0.1 are
 * 12.00. Undefined if one has an exponent.
 */
export function addDecimals(numbers: readonly string[]): string | undefined {
  const parts = numbers.map((number) => decimal.exec(number));
  if (!parts.every((part) => part !== null)) return undefined;
  const places = parts.reduce((most, [, , , fraction = '']) => Math.max(most, fraction.length), 0);
  const total = parts.reduce(
    (sum, [, sign = '', whole = '', fraction = '']) =>
      sum + BigInt(`${sign}${whole}${fraction.padEnd(places, '0')}`),
    0n,
  );
  return shift(total, places);
}

function shift(total: bigint, places: number): string {
  const sign = total < 0n ? '-' : '';
  const digits = String(total < 0n ? -total : total).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return places === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-places)}`;
}

/** `-12.90` for `12.90`, and the other way around; zero has no sign. */
export function negated(digits: string): string {
  if (digits.startsWith('-')) return digits.slice(1);
  return Number(digits) === 0 ? digits : `-${digits}`;
}

/** `-12480.5` as `-12,480.5`. */
export function grouped(number: string | number): string {
  const [whole = '', ...fraction] = String(number).split('.');
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.');
}

/** Currencies without a smaller unit. */
export const wholeCurrencies: readonly string[] = ['CLP', 'ISK', 'JPY', 'KRW', 'PYG', 'VND'];

/** A number or an amount as people write it: `16,619.04`, and `32,835 JPY` for `32835.00 JPY`; other text unchanged. */
export function readableAmount(text: string): string {
  const [, whole, fraction = '', unit = ''] = /^(-?\d+)(\.\d+)?( [A-Z]{3})?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  const isWhole = wholeCurrencies.includes(unit.trim()) && /^\.0+$/.test(fraction);
  return `${grouped(whole)}${isWhole ? '' : fraction}${unit}`;
}

/** As in `1 row` and `12 rows`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** As in `1 row` and `12,000 rows`. */
export function groupedCount(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
