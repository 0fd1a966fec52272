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
  0: 'all done',
  1: 'a fault in cb itself: please report it',
  2: 'the command line is wrong; nothing was changed',
  3: 'no API key, a key that the service does not know, or a faulty configuration',
  4: 'the service refused: not found, not yours, not permitted, or against its rules',
  5: 'the service failed, or its answer could not be read',
  6: 'no connection: network, certificate, time-out',
  7: 'too many requests for longer than --max-wait',
  8: 'incomplete: some of it is done, the rest is named on stderr',
  9: 'the answer is no (orders active)',
  10: 'declined, or --yes or --allow-refund is missing without a terminal',
  129: 'the terminal was closed',
  130: 'interrupted (Ctrl-C)',
  143: 'terminated',
};
