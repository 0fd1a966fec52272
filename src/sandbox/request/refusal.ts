/** An error response: a status, and a sentence that is sent as plain text. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, says: string, headers: Readonly<Record<string, string>> = {}) {
    super(says);
    this.status = status;
    this.headers = headers;
  }
}

export function assertOr(condition: unknown, status: number, says: string): asserts condition {
  if (!condition) throw new Refusal(status, says);
}
