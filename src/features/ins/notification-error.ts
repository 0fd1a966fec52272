/** The body of a notification, and the error of one that can't be decrypted. */

/** A body as received, or as a web framework parsed it. */
export type NotificationBody = string | Uint8Array | { readonly [field: string]: unknown };

/**
 * The step that failed, in the order of the steps. Stable.
 *
 * - `secret`: no secret was given
 * - `body`: there is no body, or it is not a JSON object
 * - `fields`: `notification` or `iv` is missing or not a text
 * - `base64`: `notification` or `iv` is not base64
 * - `iv`: the initialization vector does not have 16 bytes
 * - `length`: the encrypted text is empty or not a multiple of 16 bytes, so a part of it is missing
 * - `key`: the padding is wrong, so the secret is another one or the body was changed
 * - `utf-8`: the decrypted bytes are not UTF-8
 * - `json`: the decrypted text is not a JSON object
 */
export type NotificationErrorReason =
  | 'secret'
  | 'body'
  | 'fields'
  | 'base64'
  | 'iv'
  | 'length'
  | 'key'
  | 'utf-8'
  | 'json';

/**
 * `message` is the same for every reason, because web frameworks send messages to the sender of a request, and
 * whoever can tell a wrong padding from other failures can decrypt notifications (a padding oracle). `reason`,
 * `detail` and `hint` are for the operator: log them, and never send them. They are not enumerable, so that they
 * don't end up in JSON. None of them contains a secret.
 */
export class NotificationError extends Error {
  override readonly name = 'NotificationError';
  declare readonly reason: NotificationErrorReason;
  /** What is wrong, as one sentence. */
  declare readonly detail: string;
  /** What to do about it. */
  declare readonly hint: string | undefined;

  constructor(reason: NotificationErrorReason, detail: string, hint?: string) {
    super("The notification can't be decrypted.");
    const values = { reason: { value: reason }, detail: { value: detail }, hint: { value: hint } };
    Object.defineProperties(this, values);
  }
}
