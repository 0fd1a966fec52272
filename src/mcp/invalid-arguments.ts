/** Says what is wrong with the arguments of a call, so that a model can correct them without reading the schema again. */
import type { ObjectSchema } from './rows/schemas.ts';
import type { ToolArguments } from './tool.ts';

/** `otherwise` is the message of the validator, for what has no sentence here. */
export function invalidArguments(
  { properties, required = [] }: ObjectSchema,
  args: ToolArguments,
  otherwise = '',
): string {
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
  const missing = required.filter((name) => args[name] === undefined);
  const sentences = [
    ...unknown.map((name) => `There is no argument '${name}'.`),
    ...missing.map((name) => `The argument '${name}' is missing.`),
    ...Object.entries(properties).flatMap(([name, { enum: one, items }]) => {
      const allowed = one ?? items?.enum;
      const values = [args[name] ?? []].flat().map(String);
      if (!allowed || values.every((value) => allowed.includes(value))) return [];
      return [`'${name}' must be one of ${allowed.join(', ')}.`];
    }),
  ];
  if (sentences.length === 0) return `Invalid arguments: ${otherwise.replaceAll('data/', '')}.`;
  const known =
    unknown.length > 0 ? ` The arguments are ${Object.keys(properties).join(', ')}.` : '';
  return `Invalid arguments: ${sentences.join(' ')}${known}`;
}
