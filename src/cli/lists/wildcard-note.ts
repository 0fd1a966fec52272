/** Explains an empty list: a filter that was typed without `%` matches whole values only. */
import type { Arguments, Operation } from '../../operations/operation.ts';
import { quoted } from '../flags/findings.ts';
import { flagName } from '../flags/flags.ts';

/** Returns notes with the filters to type instead, for the arguments of an empty list. */
export function wildcardNotes(operation: Operation, args: Arguments): string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    const param = operation.params[name];
    if (!param?.wildcard || typeof value !== 'string' || value.includes('%')) return [];
    const pattern = [`%${value}%`, `${value}%`].find(
      (text) => param.pattern?.matches.test(text) ?? true,
    );
    if (pattern === undefined) return [];
    const option = flagName(operation, name);
    return [
      `Nothing matches ${option} ${quoted(value)} exactly. To match part of it, use ${option} '${pattern.replaceAll("'", "'\\''")}'.`,
    ];
  });
}
