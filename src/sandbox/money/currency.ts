/** Currencies and their fixed exchange rates. */

/** Units of a currency for 1,000 US dollars. */
const RATES: Readonly<Record<string, number>> = {
  USD: 1000,
  CAD: 1360,
  GBP: 790,
  AUD: 1520,
  EUR: 920,
  BRL: 5050,
  SEK: 10_400,
  PLN: 3950,
  JPY: 150_000,
  INR: 83_000,
  NZD: 1640,
  CHF: 880,
};

/** Supported currency codes. */
export const CURRENCIES: readonly string[] = Object.keys(RATES);

/** Currencies without hundredths. */
const WHOLE_CURRENCIES: readonly string[] = ['JPY'];

/** Rounds cents to the smallest unit of a currency. */
export function roundIn(currency: string, cents: number): number {
  return WHOLE_CURRENCIES.includes(currency) ? Math.round(cents / 100) * 100 : Math.round(cents);
}

/** Converts cents of one currency into cents of another, rounded to its smallest unit. */
export function convert(cents: number, from: string, to: string): number {
  if (from === to) return cents;
  return roundIn(to, (cents * (RATES[to] ?? 1000)) / (RATES[from] ?? 1000));
}
