/** The exit codes that scripts rely on. */

export const exitCodes = {
  ok: 0,
  internal: 1,
  usage: 2,
  key: 3,
  refused: 4,
  failed: 5,
  network: 6,
  rateLimit: 7,
  incomplete: 8,
  no: 9,
  declined: 10,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The meaning of each code, for `cb help exit-codes`. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'success',
  1: 'internal error in cb; please report it',
  2: 'invalid command line; nothing was changed',
  3: 'no API key, an unknown key, or an invalid configuration',
  4: 'ClickBank refused: not found, not permitted, or against its rules',
  5: 'ClickBank failed, or its response could not be read',
  6: 'network error: no connection, invalid certificate, or timeout',
  7: 'rate limit exceeded for longer than --max-wait',
  8: 'incomplete: some of the work is done; stderr says what is missing',
  9: 'the answer is no (orders active), or a limit is reached (check)',
  10: 'declined, or --yes or --allow-refund is missing outside a terminal',
  129: 'terminal closed',
  130: 'interrupted (Ctrl-C)',
  143: 'terminated',
};
