/** An operation requires each of its roles. */
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import { authorize } from '../../../src/sandbox/http/keys.ts';

const guarded = catalogue.filter(({ roles }) => roles.length > 0);

test.each(guarded)('requires each role of $command', ({ roles }) => {
  const caller = { key: 'API-TEST', accounts: [], roles };
  expect(() => authorize(caller, roles)).not.toThrow();
  for (const lacking of roles) {
    const others = roles.filter((role) => role !== lacking);
    expect(() => authorize({ ...caller, roles: others }, roles)).toThrow();
  }
});
