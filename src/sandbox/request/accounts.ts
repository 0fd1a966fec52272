/** The nicknames of the sandbox: 5 to 10 upper-case letters and digits, as the service gives them. */

/** The first one is the main vendor: it owns the fixed receipts of the seed. */
export const VENDORS = ['GREENLEAF', 'FITLAB24', 'COOKWELL', 'CODEMENTOR', 'YOGAHOME'] as const;

export const AFFILIATES = [
  'TOPAFF1',
  'DEALHUNTER',
  'MAXCLICKS',
  'NEWSLETTR7',
  'BLOGQUEEN',
  'SOCIALPRO',
  'ADRUNNER',
  'NICHEKING',
  'MAILGURU',
  'REVIEWLAB',
  'COUPONS99',
  'PODCASTR',
  'VIDEOPRO',
  'TRAFFIC2U',
  'SEOWIZARD',
] as const;
