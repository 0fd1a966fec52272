/** People who answer the forms of `cb mcp`. */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/client';

interface ChoiceSchema {
  readonly enum: readonly string[];
}

/** Chooses the yes of each field, as a person who agrees does. */
export function yes({ requestedSchema }: ElicitRequestFormParams) {
  const fields = Object.entries(requestedSchema.properties) as unknown as [string, ChoiceSchema][];
  const content = Object.fromEntries(fields.map(([name, field]) => [name, field.enum[1] ?? '']));
  return { action: 'accept' as const, content };
}
