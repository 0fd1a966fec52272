/** Periods that are longer than the service takes at once, cut into windows (section 8). */
import type { Arguments, Operation } from '../operations/operation.ts';

type Args = Readonly<Record<string, unknown>>;

const day = 86_400_000;

/**
 * The arguments of each request that together cover the asked periods, the latest days first, as
 * the service orders its rows. Just the arguments themselves where nothing is too long.
 */
export function windowsOf(operation: Operation, args: Arguments): Arguments[] {
  const ranges = new Map<string, { first?: string; last?: string; maxDays: number }>();
  for (const [name, { range }] of Object.entries(operation.params)) {
    if (range?.maxDays === undefined) continue;
    const known = ranges.get(range.name) ?? { maxDays: range.maxDays };
    ranges.set(range.name, { ...known, [range.end]: name });
  }
  return [...ranges.values()].reduce<Args[]>(
    (windows, range) => windows.flatMap((window) => cut(window, range)),
    [args],
  );
}

function cut(
  args: Args,
  { first = '', last = '', maxDays }: { first?: string; last?: string; maxDays: number },
): Args[] {
  const [from, to] = [args[first], args[last]];
  if (typeof from !== 'string' || typeof to !== 'string') return [args];
  const windows: Args[] = [];
  for (let end = Date.parse(to); end >= Date.parse(from); end -= maxDays * day) {
    const start = Math.max(Date.parse(from), end - (maxDays - 1) * day);
    windows.push({ ...args, [first]: dayAt(start), [last]: dayAt(end) });
  }
  return windows;
}

function dayAt(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
