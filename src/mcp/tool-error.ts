/** A call that can't be carried out, in words for the model that called. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
