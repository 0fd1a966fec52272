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

/** Each code in words, for `cb help exit-codes`. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'success',
  1: 'internal error in cb: please report it',
  2: 'invalid command line; nothing was sent',
  3: 'API key missing or unknown to ClickBank, or invalid configuration',
  4: 'refused by ClickBank: not found, not permitted, or against its rules',
  5: 'ClickBank failed, or its response could not be read',
  6: 'no connection: network, certificate or timeout',
  7: 'rate limit reached for longer than --max-wait',
  8: 'incomplete: stderr names what was not done or is unknown',
  9: 'the answer is no (cb orders active)',
  10: 'not confirmed: declined, or --yes or --allow-refund is missing',
  129: 'the terminal was closed',
  130: 'interrupted with Ctrl-C',
  143: 'terminated',
};
