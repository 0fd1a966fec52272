/** Says things that can happen thousands of times in a second, without a line for each. */
import { rateLimiter } from '../../../ins/listener/rate.ts';

/** Says ten lines at once and then one a second; the next line counts those that were left out. */
export function sparing(say: (text: string) => void, now: () => number): (text: string) => void {
  const mayAppear = rateLimiter({ perSecond: 1, burst: 10 });
  let leftOut = 0;
  return (text) => {
    if (!mayAppear(now())) {
      leftOut += 1;
      return;
    }
    say(leftOut > 0 ? `${text} (${leftOut} similar lines were left out.)` : text);
    leftOut = 0;
  };
}
