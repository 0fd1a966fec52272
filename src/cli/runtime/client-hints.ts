/** What the command line adds to errors of the client: the flags and commands that help. */

/** By `ApiError.code`. */
const additions: Readonly<Record<string, string>> = {
  'missing-rows': 'Run the command again.',
  'rate-limit': '--max-wait waits longer',
  redirect: '`cb whoami` shows it',
  'sandbox-key': 'set CB_BASE_URL to the sandbox, or CB_API_KEY to a key of the service',
  'split-period': 'omit --page',
  timeout: 'allow more with --timeout',
  'too-many-pages': 'Pass --max-pages to allow more.',
  'unknown-key': 'run `cb login` with the key shown under Settings, API Management',
  unreachable: '`cb whoami` shows it',
  unreadable: '--raw shows what came back',
};

export function hintFor(code: string | undefined, hint: string | undefined): string | undefined {
  const addition = code === undefined ? undefined : additions[code];
  if (hint === undefined || addition === undefined) return hint ?? addition;
  return hint.endsWith('.') ? `${hint} ${addition}` : `${hint}; ${addition}`;
}
