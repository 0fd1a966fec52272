/** Division of amounts. In a file of its own, because few commands need its library. */
import { Big } from 'big.js';

/** Divides, rounded half away from zero to `places` decimals; undefined for a divisor of zero. */
export function divide(dividend: string, divisor: string | number, places = 2): string | undefined {
  return Number(divisor) === 0 ? undefined : new Big(dividend).div(divisor).toFixed(places);
}
