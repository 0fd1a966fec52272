/** Progress of a sync on one line of the terminal, which disappears at the end. */
import type { Budget } from '../../workflows/sync/plan.ts';
import type { SyncProgress } from '../../workflows/sync/run.ts';
import { grouped, timeText } from '../display/progress.ts';
import type { CommandContext } from '../runtime/command-context.ts';

export interface ShownProgress {
  show(progress: SyncProgress): void;
  stop(): void;
}

/** Milliseconds between two lines. */
const apart = 250;

export function startSyncProgress({ messages }: CommandContext, budget: Budget): ShownProgress {
  const start = performance.now();
  const spentBefore = budget.spent;
  let latest: SyncProgress | undefined;
  let timer = setTimeout(function tick() {
    const seconds = (performance.now() - start) / 1000;
    const rate = (budget.spent - spentBefore) / seconds;
    if (latest) messages.status(progressText(latest, budget, rate));
    timer = setTimeout(tick, apart);
    timer.unref();
  }, apart);
  timer.unref();
  return {
    show(progress) {
      latest = progress;
    },
    stop() {
      clearTimeout(timer);
      messages.status('');
    },
  };
}

/** As in `orders 2026-01-01 to 2026-01-31: 12,300 rows, 14 windows, 18,200 requests left today, about 38 s left`. */
function progressText(
  { source, days, rows, windows, requestsLeft }: SyncProgress,
  budget: Pick<Budget, 'left'>,
  requestsPerSecond: number,
): string {
  const period = days ? ` ${days.first} to ${days.last}` : '';
  const seconds = requestsPerSecond > 0 ? Math.ceil(requestsLeft / requestsPerSecond) : undefined;
  return [
    `${source}${period}: ${grouped(rows)} rows`,
    `${grouped(windows)} windows`,
    `${grouped(budget.left)} requests left today`,
    ...(seconds === undefined ? [] : [`about ${timeText(seconds)} left`]),
  ].join(', ');
}
