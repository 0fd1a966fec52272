/** Determines the service and the key of a command. */
import { ApiError } from '../client/errors.ts';
import { baseUrlFrom, liveBaseUrl } from '../client/http/origin.ts';
import { builtIn, type Profile } from './credentials.ts';
import { keyOf } from './keychain.ts';

export interface Service {
  /** Undefined if the key comes from the environment. */
  readonly profile: string | undefined;
  readonly baseUrl: string;
  readonly key: string;
}

/** The source of the service and the key. `name` is undefined if no profile is current. */
export type ServiceSource =
  | { readonly kind: 'environment' }
  | { readonly kind: 'sandbox'; readonly key: string }
  | { readonly kind: 'stored'; readonly name: string | undefined };

type Environment = Readonly<Record<string, string | undefined>>;

/** In order: the profile named by the option, the key in the environment, CB_PROFILE, the current profile. */
export async function findSource(
  named: string | undefined,
  env: Environment,
  currentProfile: () => Promise<string | undefined>,
): Promise<ServiceSource> {
  if (named === undefined && env.CB_API_KEY !== undefined) return { kind: 'environment' };
  const name = named ?? env.CB_PROFILE ?? (await currentProfile());
  if (/\p{Cc}/u.test(name ?? '')) {
    const source = named === undefined ? 'CB_PROFILE' : '--profile';
    throw new ApiError('request', `${source} contains a line break or another control character.`);
  }
  const sandbox = builtIn.exec(name ?? '');
  return sandbox ? { kind: 'sandbox', key: sandbox[1] ?? 'full' } : { kind: 'stored', name };
}

export function baseUrlIn(env: Environment): string {
  return baseUrlFrom(env.CB_BASE_URL || liveBaseUrl, 'CB_BASE_URL');
}

/** The key in the environment, for the service that the environment names. */
export function environmentService(env: Environment): Service {
  const key = env.CB_API_KEY?.trim() ?? '';
  if (key === '') throw new ApiError('key', 'CB_API_KEY is set but empty.');
  return { profile: undefined, baseUrl: baseUrlIn(env), key };
}

/** The key of a stored profile, for its own service only. */
export async function storedService(
  name: string,
  profile: Profile,
  env: Environment,
): Promise<Service> {
  const baseUrl = baseUrlFrom(profile.baseUrl, `The base URL of profile '${name}'`);
  if (env.CB_BASE_URL && baseUrlIn(env) !== baseUrl) {
    throw new ApiError(
      'key',
      `The key of profile '${name}' belongs to ${baseUrl}, but CB_BASE_URL names another service.`,
      { hint: 'Unset CB_BASE_URL, or set CB_API_KEY too.' },
    );
  }
  return { profile: name, baseUrl, key: await keyOf(name, profile) };
}
