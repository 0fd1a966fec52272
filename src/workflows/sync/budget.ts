/** The requests that a sync may send. */

/** The next request would be one too many; it is not sent. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

export interface Budget {
  spent(): number;
  /** The requests that are left. */
  left(): number;
  /** Changes the most requests in all, those that are spent included. */
  limitTo(most: number): void;
  /** Called before each request. Throws BudgetSpent if none is left. */
  take(): void;
}

export function openBudget(most: number): Budget {
  let limit = most;
  let spent = 0;
  return {
    spent: () => spent,
    left: () => Math.max(0, limit - spent),
    limitTo(other) {
      limit = other;
    },
    take() {
      if (spent >= limit) throw new BudgetSpent(`all ${limit} requests are spent`);
      spent += 1;
    },
  };
}
