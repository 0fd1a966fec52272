/** What only the machine of the user knows, by the words that a completion script asks with. */
import type { Named } from '../../operations/resource.ts';

export type Dynamic = 'profiles' | Named;
export const dynamicKinds: readonly Dynamic[] = [
  'profiles',
  'receipt',
  'ticket',
  'sku',
  'account',
  'image',
];
