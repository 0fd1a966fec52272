/** The topics of `cb help`. */
import type { Block } from '../blocks.ts';
import { credentials, environment, reasons, safety, sandbox } from './service-topics.ts';
import { dates, exitCodes, globalOptions, output } from './usage-topics.ts';

const texts = {
  dates,
  output,
  options: globalOptions,
  reasons,
  'exit-codes': exitCodes,
  environment,
  credentials,
  safety,
  sandbox,
} as const satisfies Readonly<Record<string, readonly Block[]>>;

export type Topic = keyof typeof texts;

export const topics = Object.keys(texts) as Topic[];

export function isTopic(word: string): word is Topic {
  return Object.hasOwn(texts, word);
}

export function topicBlocks(topic: Topic): readonly Block[] {
  return texts[topic];
}
