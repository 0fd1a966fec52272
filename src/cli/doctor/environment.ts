/** What the environment says to cb, and to Node under it. Values that may be secret are not told. */
import { accessSync, constants } from 'node:fs';
import { liveBaseUrl } from '../../api/origin.ts';
import { isBuiltIn } from '../../profiles/find-service.ts';
import type { Context } from '../context.ts';
import { failureFrom } from '../failure.ts';
import { absoluteFrom, pathOf } from '../folders.ts';
import { type Finding, fault, fine, warning } from './finding.ts';
import { keyForm, serviceAt } from './forms.ts';
import type { Stored } from './stored.ts';

/** Only what is set is told of. */
export async function environmentFindings(context: Context, stored: Stored): Promise<Finding[]> {
  const { env } = context;
  return [
    ...(env.CB_API_KEY === undefined ? [] : [keyFinding(env.CB_API_KEY)]),
    ...(env.CB_BASE_URL ? [await baseUrlFinding(context, env.CB_BASE_URL, stored)] : []),
    ...(env.CB_PROFILE === undefined ? [] : [profileFinding(context, env.CB_PROFILE, stored)]),
    ...switches.flatMap(([name, effect]) => (env[name] ? [fine(name, `set: ${effect}`)] : [])),
    ...folders.flatMap(([name, effect]) => folderFindings(context, name, effect)),
    ...(await proxyFindings(env)),
    ...certificateFindings(context),
  ];
}

function keyFinding(value: string): Finding {
  const fix = 'set it to the whole key from Settings, API Management, or unset it';
  return keyForm('CB_API_KEY', value.trim(), 'set: it goes before the stored profiles', fix);
}

async function baseUrlFinding({ env }: Context, value: string, stored: Stored): Promise<Finding> {
  const told = await serviceAt(value);
  const fix = 'set it to a URL like https://api.clickbank.com, or unset it';
  if ('problem' in told) return fault('CB_BASE_URL', told.problem, fix);
  const used = env.CB_PROFILE ?? stored.current;
  const service = stored.profiles.find(({ name }) => name === used)?.service;
  const own = service && 'url' in service ? service.url : told.url;
  if (env.CB_API_KEY !== undefined || own === told.url) return fine('CB_BASE_URL', told.url);
  const found = `${told.url}, but the key of profile '${used}' belongs to ${own}`;
  return fault('CB_BASE_URL', found, 'unset CB_BASE_URL, or set CB_API_KEY too');
}

function profileFinding({ env }: Context, value: string, { profiles }: Stored): Finding {
  if (env.CB_API_KEY !== undefined) {
    const fix = 'unset CB_API_KEY, or CB_PROFILE';
    return warning('CB_PROFILE', 'it has no effect, since CB_API_KEY is set', fix);
  }
  const names = profiles.map(({ name }) => name);
  if (isBuiltIn(value) || names.includes(value)) return fine('CB_PROFILE', value);
  const known = ['sandbox', ...names].join(', ');
  const fix = `set it to one of: ${known}; or unset it`;
  // Not quoted, since a key may have been pasted there.
  return fault('CB_PROFILE', 'it names a profile that is not there', fix);
}

/** Variables that switch something when set, each with what. */
const switches: readonly (readonly [name: string, effect: string])[] = [
  ['CB_NO_HISTORY', 'nothing is kept for completion'],
  ['CI', 'nothing is ever asked'],
  ['NO_COLOR', 'no colour'],
];

/** Variables that name folders, each with what cb keeps there. */
const folders: readonly (readonly [name: string, effect: string])[] = [
  ['XDG_CONFIG_HOME', 'the profiles are in a folder of it'],
  ['XDG_STATE_HOME', 'the state is in a folder of it'],
  ['XDG_DATA_HOME', 'the sandbox is in a folder of it'],
];

function folderFindings(context: Context, name: string, effect: string): Finding[] {
  if (!context.env[name]) return [];
  if (absoluteFrom(context, name) !== undefined) return [fine(name, `set: ${effect}`)];
  const found = 'ignored, since it is not an absolute path';
  return [warning(name, found, 'set it to an absolute path, or unset it')];
}

async function proxyFindings(env: Context['env']): Promise<Finding[]> {
  const { proxyFor, proxyNames } = await import('../../api/proxy.ts');
  const { proxy, exceptions } = proxyNames(env);
  const except = exceptions ? [fine(exceptions, env[exceptions] ?? '')] : [];
  if (proxy === undefined) return except;
  const shown = withoutSecrets(env[proxy] ?? '');
  try {
    const used = proxyFor(liveBaseUrl, env);
    const effect = used ? 'the way to the service' : `not used, since ${exceptions} says so`;
    return [fine(proxy, `${shown}, ${effect}`), ...except];
  } catch (error) {
    const { hint } = failureFrom(error);
    return [fault(proxy, `${shown}, which cb can't use`, hint ?? 'unset it'), ...except];
  }
}

/** A proxy's address: who signs in, and what follows the host, is left out. */
function withoutSecrets(proxy: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][\w+.-]*:\/\/)?(.*)$/is.exec(proxy) ?? [];
  const at = rest.lastIndexOf('@');
  const host = rest.slice(at + 1).replace(/[/?#].*$/s, '');
  return `${scheme}${at < 0 ? '' : '***@'}${host}`;
}

function certificateFindings(context: Context): Finding[] {
  const { NODE_EXTRA_CA_CERTS: file, NODE_TLS_REJECT_UNAUTHORIZED: checked } = context.env;
  const unchecked = warning(
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'it would leave certificates unchecked; cb checks them all the same',
    'unset it; name the certificate of your company in NODE_EXTRA_CA_CERTS',
  );
  return [...(file ? [extraFinding(context, file)] : []), ...(checked === '0' ? [unchecked] : [])];
}

/** Node goes on without a file that it can't read. */
function extraFinding(context: Context, told: string): Finding {
  try {
    accessSync(pathOf(context, told), constants.R_OK);
    return fine('NODE_EXTRA_CA_CERTS', told);
  } catch {
    const fix = 'name a file with certificates in PEM form, or unset it';
    return warning('NODE_EXTRA_CA_CERTS', `${told} can't be read, and Node goes on without`, fix);
  }
}
