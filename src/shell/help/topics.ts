/** The names of the topics of `cb help`; their texts are loaded only when one is shown. */

export const topics = [
  ...(['dates', 'output', 'options', 'reasons', 'exit-codes', 'environment'] as const),
  ...(['credentials', 'safety', 'sandbox'] as const),
];

export type Topic = (typeof topics)[number];
