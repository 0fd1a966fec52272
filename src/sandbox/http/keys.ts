/**
 * The accounts and API keys of the sandbox, and authorization with them (section 5 of the specification).
 * The keys are constant, since they are valid nowhere else.
 */
import { type Role, roles } from '../../operations/operation.ts';
import { assertOr } from './arguments.ts';

/** The first one is the main vendor, which owns the fixed receipts of the seed. */
export const VENDORS = ['GREENLEAF', 'FITLAB24', 'COOKWELL', 'CODEMENTOR', 'YOGAHOME'] as const;

export const [, , , , WITHOUT_PARTIAL_REFUNDS] = VENDORS;

/** The first one belongs to most keys. */
export const AFFILIATES = [
  ...(['TOPAFF1', 'DEALHUNTER', 'MAXCLICKS', 'NEWSLETTR7', 'BLOGQUEEN', 'SOCIALPRO'] as const),
  ...['ADRUNNER', 'NICHEKING', 'MAILGURU', 'REVIEWLAB', 'COUPONS99', 'PODCASTR', 'VIDEOPRO'],
  ...['TRAFFIC2U', 'SEOWIZARD'],
] as const;

export interface SandboxKey {
  readonly name: string;
  readonly key: string;
  readonly roles: readonly Role[];
  /** Nicknames; the key sees transactions with one of them as vendor or affiliate. */
  readonly accounts: readonly string[];
  readonly says: string;
}

const [vendor] = VENDORS;
const [affiliate] = AFFILIATES;
const ALL_ACCOUNTS: readonly string[] = [...VENDORS, affiliate];

export const KEYS: readonly SandboxKey[] = [
  {
    ...{ name: 'full', key: 'API-SANDBOXFULLK3Y7Q2M9XW4T8R6P1N5J0H2D6' },
    ...{ roles, accounts: ALL_ACCOUNTS },
    says: 'every permission, all vendor accounts and one affiliate account',
  },
  {
    ...{ name: 'vendor', key: 'API-SANDBOXVENDORK8Z3V1C6B4L7G9F2S5D0A1E' },
    ...{ roles, accounts: [vendor] },
    says: 'every permission, one vendor account',
  },
  {
    ...{ name: 'affiliate', key: 'API-SANDBOXAFFILIATE5U8I2O6Y1T4R9E3W7Q0M' },
    roles: ['api_analytics_client', 'HAS_DEVELOPER_KEY', 'api_order_read'],
    accounts: [affiliate],
    says: 'read-only orders and analytics, one affiliate account',
  },
  {
    ...{ name: 'read-only', key: 'API-SANDBOXREADONLY4M7N1B8V2C6X9Z3L5K0J7' },
    ...{ roles: ['api_order_read'], accounts: ALL_ACCOUNTS },
    says: 'read-only orders, all accounts of the full key',
  },
  {
    ...{ name: 'no-subscriptions', key: 'API-SANDBOXNOSUBSCRIPTIONS6T3Z8P1W5X2V4Q' },
    roles: roles.filter((role) => role !== 'api_subscription_modifications'),
    accounts: ALL_ACCOUNTS,
    says: 'every permission except subscription modifications, all accounts of the full key',
  },
  {
    ...{ name: 'no-developer-key', key: 'API-SANDBOXNODEVELOPERKEY1R7C5N9B3M6H8D2' },
    ...{ roles: ['api_analytics_client', 'api_order_read'], accounts: ALL_ACCOUNTS },
    says: 'read-only orders, and analytics without the required developer key',
  },
  {
    ...{ name: 'no-orders', key: 'API-SANDBOXNOORDERS9G2H6J1K5L8P3O7I4U0Y2' },
    roles: ['api_analytics_client', 'HAS_DEVELOPER_KEY', 'api_products_client'],
    accounts: ALL_ACCOUNTS,
    says: 'analytics and products, no orders',
  },
];

export type Caller = Pick<SandboxKey, 'key' | 'roles' | 'accounts'>;

export const NOBODY: Caller = { key: '', roles: [], accounts: [] };

/** Finds the key, or refuses with 401 as the live service does, though its documents say 403. */
export function identify(authorization: string | undefined): Caller {
  // An older form joins a developer key and the API key with a colon; only the API key counts.
  const key = authorization?.trim().split(':').at(-1);
  const caller = KEYS.find((known) => known.key === key);
  assertOr(caller, 401, 'Invalid API key');
  return caller;
}

/** Requires every listed role; the 403 names the missing ones. */
export function authorize(caller: Caller, roles: readonly Role[]): void {
  const missing = roles.filter((role) => !caller.roles.includes(role));
  assertOr(missing.length === 0, 403, `The API key has no permission: ${missing.join(', ')}`);
}

/** The nickname in upper case, given in any case; 403 unless the key has that account. */
export function requireAccount(caller: Caller, nickname: string): string {
  const own = caller.accounts.find((account) => account === nickname.toUpperCase());
  assertOr(own, 403, `This key has no account ${nickname}.`);
  return own;
}
