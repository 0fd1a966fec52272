/** What a key may do, as far as the service tells: GET /1.3/debug, which is not in the catalogue. */
import { operation, type Role } from '../operations/operation.ts';
import type { Api } from './client.ts';
import { ApiError } from './errors.ts';

const debug = operation({
  method: 'GET',
  path: '/1.3/debug',
  command: 'whoami',
  summary: 'Tell the roles of the caller',
  roles: [],
  params: {},
  returns: { kind: 'text' },
  examples: [],
});

/** Every role, with the permission that the service's settings page calls it by. */
const permissions: Readonly<Record<Role, string>> = {
  api_order_read: 'Orders, read',
  api_order_write: 'Orders, write',
  api_subscription_modifications: 'Subscription modification',
  api_products_client: 'Products',
  api_analytics_client: 'Analytics',
  HAS_DEVELOPER_KEY: 'Developer key',
};

/**
 * The roles of the client's key; undefined where the service does not tell. Throws an ApiError of
 * kind `key` when it does not know the key. The answer also holds the key: only roles leave here.
 */
export async function rolesOf(api: Api): Promise<Role[] | undefined> {
  try {
    const text = await api.call(debug, {});
    const told = new Set(text.toLowerCase().match(/\w+/g));
    return (Object.keys(permissions) as Role[]).filter((role) => told.has(role.toLowerCase()));
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'refused') return undefined;
    throw error;
  }
}
