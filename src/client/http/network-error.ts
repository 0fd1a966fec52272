/** Describes the error codes of Node and undici. */
import { ApiError } from '../errors.ts';

/** Failures that can only occur before anything is sent. */
const beforeSending: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNTIMEOUT',
]);

/** TLS failures of the first message. Others may occur while an answer is under way. */
const tlsRefusals = /^ERR_SSL_.*(VERSION|PROTOCOL|HANDSHAKE_FAILURE)/;

interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  /** Where several addresses were tried: one error for each. */
  readonly errors?: readonly SystemError[];
}

function isBeforeSending({ code = '', syscall, errors }: SystemError): boolean {
  if (errors && errors.length > 0) return errors.every(isBeforeSending);
  return beforeSending.has(code) || syscall === 'connect' || syscall === 'getaddrinfo';
}

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
      maybeDone: code.startsWith('ERR_SSL') && !tlsRefusals.test(code),
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
      maybeDone: !isBeforeSending(cause as SystemError),
      code: 'unreachable',
      hint: 'check the network and the base URL',
    },
  );
}
