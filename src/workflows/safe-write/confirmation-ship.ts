/** Sentences about ship notices, of all three generations of the service. */
import { notices, notices2, notices3 } from '../../operations/shipping.ts';
import type { Reader } from './reads.ts';
import { type Describe, subjectOf, type Values } from './sentence.ts';

export const shipSentences: readonly (readonly [unknown, Describe])[] = [
  [notices.add, describeNotice],
  [notices2.add, describeNotice],
  [notices3.add, describeNotice],
];

async function describeNotice(reader: Reader, args: Values) {
  const { name, at, gaps } = await subjectOf(reader, String(args.receipt), args.item);
  const parcel = [args.carrier, args.tracking].filter(Boolean).join(' ');
  const action = `Add a ship notice for ${name}${at}: ${parcel}, shipped on ${args.date}`;
  const details = args.fillOrder === true ? ['The whole order is marked as shipped.'] : [];
  return { action, details, gaps };
}
