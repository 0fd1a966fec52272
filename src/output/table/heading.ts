/** Column headings: field names as people write them. */

/**
 * `transactionTime` and `transaction_time` both become `Transaction time`. Of a dotted path only the last
 * name is used, or the `given` heading. Columns that would have the same heading get all names of their path.
 */
export function headings(
  paths: readonly string[],
  given: readonly (string | undefined)[] = [],
): string[] {
  const short = paths.map(
    (path, index) => given[index] ?? sentence(path.slice(path.lastIndexOf('.') + 1)),
  );
  const counts = new Map<string, number>();
  for (const heading of short) counts.set(heading, (counts.get(heading) ?? 0) + 1);
  return paths.map((path, index) => {
    const heading = short[index] ?? '';
    return counts.get(heading) === 1 ? heading : sentence(path);
  });
}

/** Spelling of words that are not simply in lower case. */
const spellings: Readonly<Record<string, string>> = {
  ...{
    id: 'ID',
    sku: 'SKU',
    url: 'URL',
    usd: 'USD',
    us: 'US',
    zip: 'ZIP code',
    ip: 'IP',
    mrr: 'MRR',
  },
  ...{ aff: 'affiliate', pub: 'vendor', amt: 'amount', avg: 'average', cnt: 'count' },
  txn: 'transaction',
  ...{ firstname: 'first name', lastname: 'last name', addr1: 'address 1', addr2: 'address 2' },
  ...{ ticketid: 'ticket ID', imageid: 'image ID', chargebacked: 'charged back', utm: 'UTM' },
  ...{ sub: 'subscription', cancelled: 'canceled', max: 'maximum' },
};

/** Phrases, after the words are in lower case. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/^(?:is|has been) (?=.)/, ''],
  [/\bnick name\b/g, 'nickname'],
  // ClickBank's item number is the SKU that the vendor chose.
  [/\b(?:product item|product|item) no\b/g, 'SKU'],
  [/^(pre|post) /, '$1-'],
  [/\baddress(\d)\b/g, 'address $1'],
  [/\bline item (?:ship )?data$/, 'line items'],
  [/\bline item (?:ship )?data\b/g, 'line item'],
];

/** Writes a field name in camel case, snake case or with dots as words in sentence case. */
export function sentence(name: string): string {
  const isCapitals = /^[A-Z\d]+(?:_[A-Z\d]+)+$/.test(name);
  const words = (isCapitals ? name.toLowerCase() : name)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s._@-]+/)
    .filter((word) => word !== '')
    .map((word) => {
      const small = word.toLowerCase();
      if (Object.hasOwn(spellings, small)) return spellings[small] ?? small;
      // Abbreviations in capitals stay in capitals.
      return word === word.toUpperCase() ? word : small;
    })
    .join(' ');
  const phrase = phrases.reduce((text, [found, better]) => text.replace(found, better), words);
  return phrase === '' ? name : phrase.charAt(0).toUpperCase() + phrase.slice(1);
}
