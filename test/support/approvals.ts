/** People who answer the forms of `cb mcp`. */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/client';
import { type AgentOptions, startAgent } from './agent.ts';
import type { Home, Options } from './cb.ts';
import { forwardingTo, type Hooks } from './gateway.ts';
import { person } from './person.ts';
import { servedShop } from './sandbox.ts';

interface ChoiceSchema {
  readonly enum: readonly string[];
}

export const fullRefund = {
  receipt: 'DIGITAL1',
  reason: 'ticket.type.refund.2',
  refundType: 'FULL',
} as const;

/** Chooses the yes of each field, as a person who agrees does. */
export function yes({ requestedSchema }: ElicitRequestFormParams) {
  const fields = Object.entries(requestedSchema.properties) as unknown as [string, ChoiceSchema][];
  const content = Object.fromEntries(fields.map(([name, field]) => [name, field.enum[1] ?? '']));
  return { action: 'accept' as const, content };
}

/** The ID of the plan that a text names. */
export function planIn(text: string): string {
  return /[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}/.exec(text)?.[0] ?? '';
}

/**
 * A sandbox, an agent that plans writes in it, and a person at a terminal of the same home, who approves plans. With
 * `hooks`, a service between them and the sandbox.
 */
export async function planningAgent(options: AgentOptions = {}, hooks?: Hooks) {
  const served = await servedShop({ at: options.now });
  const gateway = hooks && (await forwardingTo(served.sandbox.url, hooks));
  const env = { ...served.env, ...(gateway && { CB_BASE_URL: gateway.url }) };
  const { folder } = served;
  const cb: Home['cb'] = (line, more = {}) =>
    served.cb(line, { ...more, env: { ...env, ...more.env } });
  const agent = await startAgent({ env, folder, args: ['--allow-writes'], ...options });
  const approve = (plan: unknown, keys: readonly string[] = ['y'], more: Options = {}) =>
    cb(`approve ${plan}`, { columns: 80, person: person(...keys), ...more });
  return { ...served, env, cb, agent, approve };
}
