/** The requests that a sync may send. */

/** The next request would be one too many; it is not sent. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

export interface Budget {
  readonly most: number;
  spent(): number;
  /** Called before each request. Throws BudgetSpent if none is left. */
  take(): void;
}

export function openBudget(most: number): Budget {
  let spent = 0;
  return {
    most,
    spent: () => spent,
    take() {
      if (spent >= most) throw new BudgetSpent(`all ${most} requests are spent`);
      spent += 1;
    },
  };
}
