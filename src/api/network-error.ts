/** What the codes of Node and undici mean to a person. */
import { ApiError } from './errors.ts';

/** Failures before anything could be sent. */
const beforeSending: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNTIMEOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at',
  ENOTFOUND: 'there is no host called',
  EAI_AGAIN: 'the name server does not know',
  ECONNRESET: 'the connection was cut by',
  EPIPE: 'the connection was cut by',
  UND_ERR_SOCKET: 'the connection was cut by',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time to',
  ECONNTIMEOUT: 'no connection in time to',
  EHOSTUNREACH: 'there is no way to',
  ENETUNREACH: 'there is no network to',
};

/** The error of an exchange that the network, or TLS, did not carry to its end. */
export function networkError(cause: unknown, host: string): ApiError {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL/.test(code);
  if (certificate) {
    return new ApiError('network', `the certificate of ${host} can't be trusted (${code})`, {
      cause,
      hint: 'if a proxy of your company is in between, name its certificate in NODE_EXTRA_CA_CERTS',
    });
  }
  const reason = reasons[code];
  return new ApiError(
    'network',
    reason ? `${reason} ${host} (${code})` : `no answer from ${host}: ${message}`,
    {
      cause,
      passing: true,
      arrived: beforeSending.has(code) ? 'never' : 'perhaps',
      hint: 'check the network and the base URL (cb whoami)',
    },
  );
}
