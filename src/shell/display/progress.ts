/** Progress of a long list, on one line of the terminal that disappears at the end. */
import { grouped } from '../../decimals/decimals.ts';
import type { CommandContext } from '../context.ts';

/** Milliseconds until the first line is shown, and between two lines. */
const quiet = 1000;
const apart = 250;

/**
 * Repeats a status line. `text` gets the seconds since the start, and `after` is the milliseconds until the first line.
 * Returns a function that ends and removes it.
 */
export function repeatStatus(
  { messages }: CommandContext,
  text: (seconds: number) => string,
  after = quiet,
): () => void {
  const start = performance.now();
  let timer = setTimeout(function tick() {
    messages.status(text((performance.now() - start) / 1000));
    timer = setTimeout(tick, apart).unref();
  }, after).unref();
  return () => {
    clearTimeout(timer);
    messages.status('');
  };
}

/** `count` is called once, for the time that remains. Only if nothing else is written to the terminal. */
export function startProgress(cmd: CommandContext, count: () => Promise<number | undefined>) {
  let rows = 0;
  let pages = 0;
  let total: number | undefined;
  let isAsked = false;
  const ask = async () => {
    isAsked = true;
    total = await count();
  };
  const stop = repeatStatus(cmd, (seconds) => {
    if (!isAsked) void ask();
    return progressText(rows, pages, seconds, total);
  });
  return {
    add(more: number) {
      rows += more;
      pages += 1;
    },
    stop,
  };
}

/** As in `12,300 of 45,000 rows, 123 pages, 870 rows/s, 14 s, about 38 s left`. */
function progressText(rows: number, pages: number, seconds: number, total?: number): string {
  const rate = seconds > 0 ? rows / seconds : 0;
  const isKnown = total !== undefined && total >= rows;
  const left = isKnown && rate > 0 ? Math.ceil((total - rows) / rate) : undefined;
  return [
    isKnown ? `${grouped(rows)} of ${grouped(total)} rows` : `${grouped(rows)} rows`,
    `${grouped(pages)} pages`,
    `${grouped(Math.round(rate))} rows/s`,
    timeText(Math.floor(seconds)),
    ...(left === undefined ? [] : [`about ${timeText(left)} left`]),
  ].join(', ');
}

/** Seconds as in `38 s`, `2 min 5 s` or `1 h 12 min`. */
export function timeText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
