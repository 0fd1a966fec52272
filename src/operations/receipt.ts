/** The parameter that most operations have: the receipt of an order. */
import { required, text } from './operation.ts';

const pattern = {
  matches: /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/,
  says: 'letters, digits and dashes, as in MONTHLY1 or MONTHLY1-B002',
};

/** A required receipt. Other text could change the path that it becomes part of. */
export function receiptOf(summary: string) {
  return required(text(summary, { pattern, names: 'receipt' }));
}
