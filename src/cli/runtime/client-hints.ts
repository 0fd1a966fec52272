/** Adds to the hints of the client the options and commands that help. */

/** Additions by `ApiError.code`. */
const additions: Readonly<Record<string, string>> = {
  'missing-rows': 'Run the command again.',
  'shifted-rows': 'Run the command again.',
  'rate-limit': 'Use --max-wait to wait longer.',
  redirect: 'To see the base URL, run `cb doctor --no-online`.',
  'sandbox-key': 'Set CB_BASE_URL to the sandbox, or CB_API_KEY to a key for ClickBank.',
  'split-period': 'Omit --page.',
  timeout: 'Use --timeout to allow more time.',
  'too-many-pages': 'Pass --max-pages to allow more.',
  'unknown-key': 'Run `cb login` with the key shown on ClickBank under Settings, API Management.',
  unreachable: 'To see the base URL, run `cb doctor --no-online`.',
  unreadable: 'Use --raw to see the response as received.',
};

export function hintFor(code: string | undefined, hint: string | undefined): string | undefined {
  const addition = code === undefined ? undefined : additions[code];
  if (hint === undefined || addition === undefined) return hint ?? addition;
  return `${hint} ${addition}`;
}
