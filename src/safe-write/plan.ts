/** The plan of a write, and its warnings. The package declares these types: this file imports nothing. */

/** What a safe write is going to do, for the person or the rule that confirms it. */
export interface WritePlan {
  /** One sentence in the imperative, without final punctuation: `Refund 29.00 USD to "Ada Sample" …`. */
  readonly action: string;
  /** Complete sentences to add, such as "This can't be undone.". */
  readonly details: readonly string[];
  /** Complete sentences that are true once it is done, such as "The next payment is due on 2026-12-24.". */
  readonly effects: readonly string[];
  readonly warnings: readonly WriteWarning[];
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: readonly (readonly [name: string, value: string])[];
  };
}

/** An effect on money that the name of a write does not suggest, or a reason for which ClickBank will refuse it. */
export interface WriteWarning {
  /**
   * - `refunds-sale`: a cancellation refunds a one-time sale
   * - `cancels-refund`: the write cancels an open refund
   * - `full-refund`: the write turns a ticket into a full refund
   * - `reopens-refund`: the write requests a closed refund again
   * - `prorated-refund`: a product change refunds the unused part of the period
   * - `not-refundable`: the payment can't be refunded, for example because it is too old
   * - `several-items`: the order has several items, and the write names none of them
   * - `not-checked`: this key may not read the required data; `message` says what is unknown
   * - `refused`: the service will refuse the write, or refuses to show its subject
   */
  readonly kind:
    | 'refunds-sale'
    | 'cancels-refund'
    | 'full-refund'
    | 'reopens-refund'
    | 'prorated-refund'
    | 'not-refundable'
    | 'several-items'
    | 'not-checked'
    | 'refused';
  /** One sentence without its final period. */
  readonly message: string;
  readonly receipt?: string;
  /** Digits as sent by the service, in `currency`, if the amount is known. */
  readonly amount?: string;
  readonly currency?: string;
  /** HTTP status of the response, if `kind` is `refused`. */
  readonly status?: number;
}
