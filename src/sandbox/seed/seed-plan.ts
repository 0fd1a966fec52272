/** What a seed is made from: the same plan makes the same store. */
export interface SeedPlan {
  /** Transactions in all, though never fewer than the fixed receipts have. */
  readonly orders: number;
  readonly randomSeed: number;
  /** Seconds since 1970; nothing is seeded after it. */
  readonly now: number;
}
