/** Answers an option that lacks its value. */
import type { Option } from 'commander';
import { type Failure, usage } from '../runtime/failure.ts';

/** `flags` is the option as the help shows it. */
export function withoutValue(option: Option | undefined, flags: string): Failure {
  const name = option?.long ?? flags;
  const place = /<.*>/.exec(flags)?.[0] ?? '<value>';
  const [what = ''] = option?.description.split(/[:;] | \(/) ?? [];
  const meaning = what.charAt(0).toLowerCase() + what.slice(1);
  return usage(`${name} needs a value.`, { hint: `Use ${name} ${place} (${meaning}).` });
}
