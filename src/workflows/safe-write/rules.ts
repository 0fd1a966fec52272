/** The rules of every write: its description, its warnings, and its verifier. */
import type { services } from '../../operations/index.ts';
import type { Operation } from '../../operations/operation.ts';
import { noticeRules } from './notices.ts';
import { productRules } from './products.ts';
import { subscriptionRules } from './subscriptions.ts';
import { ticketRules } from './tickets.ts';
import type { WriteRules, WriteVerifier } from './verifier.ts';

type Services = typeof services;
type AnyOperation = { [S in keyof Services]: Services[S][keyof Services[S]] }[keyof Services];

/** The commands of all operations whose method is not GET or HEAD. */
type WriteCommand = Exclude<AnyOperation, { readonly method: 'GET' | 'HEAD' }>['command'];

/** Complete: a new write operation does not compile without an entry. */
const rules: Readonly<Record<WriteCommand, WriteRules>> = {
  ...ticketRules,
  ...subscriptionRules,
  ...productRules,
  ...noticeRules,
};

/** Returns undefined for a read. */
export function rulesOf({ command }: Pick<Operation, 'command'>): WriteRules | undefined {
  return Object.hasOwn(rules, command) ? rules[command as WriteCommand] : undefined;
}

/** Returns undefined if the write can't be verified; its outcome is unknown if the response is lost. */
export function verifierOf(operation: Pick<Operation, 'command'>): WriteVerifier | undefined {
  const verify = rulesOf(operation)?.verify;
  return typeof verify === 'object' ? verify : undefined;
}

/** Why the write can't be verified; undefined if it can. */
export function whyUnverifiable(operation: Pick<Operation, 'command'>): string | undefined {
  const verify = rulesOf(operation)?.verify;
  return typeof verify === 'string' ? verify : undefined;
}
