/** The errors of an exchange that failed: by the codes of Node and undici, or by a body that can't be used. */
import { ApiError } from '../errors.ts';

/** Failures that occur only before anything is sent. */
const beforeSending: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNTIMEOUT',
]);

/** TLS failures of the handshake. Others may occur while a response is being received. */
const tlsRefusals = /^ERR_SSL_.*(VERSION|PROTOCOL|HANDSHAKE_FAILURE)/;

interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  /** One error for each address, if several were tried. */
  readonly errors?: readonly SystemError[];
}

function isBeforeSending({ code = '', syscall, errors }: SystemError): boolean {
  if (errors && errors.length > 0) return errors.every(isBeforeSending);
  return beforeSending.has(code) || syscall === 'connect' || syscall === 'getaddrinfo';
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused by',
  ENOTFOUND: 'Could not find the host',
  EAI_AGAIN: 'The name server could not resolve',
  ECONNRESET: 'Connection closed by',
  EPIPE: 'Connection closed by',
  UND_ERR_SOCKET: 'Connection closed by',
  UND_ERR_CONNECT_TIMEOUT: 'Timed out connecting to',
  ECONNTIMEOUT: 'Timed out connecting to',
  EHOSTUNREACH: 'No route to',
  ENETUNREACH: 'No network connection to',
};

/** The error for an exchange that failed in the network or in TLS. */
export function networkError(cause: unknown, host: string): ApiError {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL/.test(code);
  if (certificate) {
    return new ApiError('network', `The certificate of ${host} can't be trusted (${code}).`, {
      cause,
      maybeDone: code.startsWith('ERR_SSL') && !tlsRefusals.test(code),
      hint: 'If a company proxy intercepts TLS, name its certificate in NODE_EXTRA_CA_CERTS.',
    });
  }
  const reason = reasons[code];
  return new ApiError(
    'network',
    reason ? `${reason} ${host} (${code}).` : `No response from ${host}: ${message}.`,
    {
      cause,
      passing: true,
      maybeDone: !isBeforeSending(cause as SystemError),
      code: 'unreachable',
      hint: 'Check the network and the base URL.',
    },
  );
}

export function unusable(message: string, cause?: unknown): ApiError {
  return new ApiError('failed', message, { cause, passing: true, maybeDone: true });
}

export function tooLarge(largest: number): ApiError {
  return new ApiError('failed', `The response is larger than ${largest / 1024 / 1024} MiB.`, {
    code: 'too-large',
    maybeDone: true,
  });
}
