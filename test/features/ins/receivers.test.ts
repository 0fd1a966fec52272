/** Receivers in other languages, with their own libraries, decrypt what cb encrypts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventText } from '../../../src/features/ins/event-text.ts';
import { eventTypeNames } from '../../../src/features/ins/event-types.ts';
import { encryptNotification } from '../../../src/features/ins/notification.ts';
import { eventOf } from '../../../src/features/ins/sample-event.ts';
import { eventVersions } from '../../../src/operations/notification-versions.ts';
import { receivers } from '../../support/receivers.ts';
import { tier } from '../../support/tier.ts';

const secret = 'SECRET1KEY2026AB';
const now = new Date('2026-03-18T18:30:00Z');

/** `npm test` has the programs that start fast. */
const tried = tier(
  receivers.filter(({ name }) => name !== 'Java'),
  receivers,
);

describe.each(tried)('$name', ({ missing, decrypt }) => {
  const title = (text: string) => (missing ? `${text} (${missing})` : text);

  test.skipIf(missing)(title('decrypts an event of each type and version'), () => {
    const events = eventTypeNames.flatMap((type) =>
      eventVersions.map((version) => eventText(eventOf(type, { version, now }))),
    );
    const texts = decrypt(
      events.map((event) => encryptNotification(event, secret)),
      secret,
    );
    expect(texts).toEqual(events);
    expect(texts).toHaveLength(57);
    expect(texts[0]).toContain('"totalShippingAmount":0.00,');
    expect(texts[0]).toContain('"fullName":"Zoë Sample"');
  });

  test.skipIf(missing)(title('gets hostile names whole'), () => {
    const hostile = fc.string({ unit: 'grapheme', maxLength: 60 });
    const names = fc.sample(hostile, { numRuns: 200, seed: 18 });
    const events = ['李小龙', 'Ω🎉', 'a\nb\0c\u2028', '"}],{', ...names].map((fullName) =>
      JSON.stringify({ transactionType: 'SALE', customer: { billing: { fullName } } }),
    );
    const texts = decrypt(
      events.map((event) => encryptNotification(event, secret)),
      secret,
    );
    expect(texts).toEqual(events);
  });

  test.skipIf(missing)(title('fails with another secret'), () => {
    const iv = Buffer.from('0123456789abcdef');
    const body = encryptNotification('{"transactionType":"SALE"}', secret, { iv });
    expect(decrypt([body], secret)).toEqual(['{"transactionType":"SALE"}']);
    let texts: readonly string[] = [];
    try {
      texts = decrypt([body], 'ANOTHER');
    } catch {
      // Most receivers end with an error.
    }
    expect(texts).not.toContain('{"transactionType":"SALE"}');
  });
});
