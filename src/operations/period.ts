/** The rule that two days of one period have everywhere. */
import { type Remark, when } from './operation.ts';

interface Period {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** Days are `yyyy-mm-dd`, so they compare as texts. */
export function inOrder({ startDate = '', endDate = '~' }: Period): Remark | false {
  return when(endDate < startDate, 'endDate', 'must not be before {startDate}');
}
