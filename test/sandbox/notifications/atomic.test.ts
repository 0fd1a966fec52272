/** An event and its notification are written together, or neither of them. */
import Driver from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { post } from '../raw.ts';
import { contentOf, storeFile } from '../store/store-file.ts';
import { CANCEL } from '../tickets/ticket-raw.ts';
import { told } from './told.ts';

/** Makes one of the next statements that write fail, as on a full disk; none by default. */
function fillDisk() {
  let left = Number.POSITIVE_INFINITY;
  const { prototype } = Driver;
  const { prepare } = prototype;
  prototype.prepare = function prepareFailing(this: Driver.Database, sql: string) {
    const statement = prepare.call(this, sql);
    const run = statement.run.bind(statement) as (...values: unknown[]) => never;
    statement.run = (...values: unknown[]) => {
      left -= 1;
      if (left === 0) throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
      return run(...values);
    };
    return statement;
  } as typeof prepare;
  onTestFinished(() => {
    prototype.prepare = prepare;
  });
  return (number: number) => {
    left = number;
  };
}

test.each([
  `tickets/MONTHLY1?${CANCEL}`,
  'orders2/CANCEL01/reinstate',
  'orders2/MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M',
  'tickets/1004/returned',
])(
  'writes neither the event nor its notification when the disk is full during %s',
  async (path) => {
    const failAt = fillDisk();
    const file = storeFile();
    const { sandbox } = await told({ file });
    const before = await contentOf(file);
    let number = 0;
    let status = 500;
    while (status === 500) {
      expect(await contentOf(file)).toEqual(before);
      number += 1;
      failAt(number);
      ({ status } = await post(sandbox, `/rest/1.3/${path}`));
    }
    failAt(Number.POSITIVE_INFINITY);
    // At least one statement for the event, and three for its notification.
    expect([status < 300, number > 4]).toEqual([true, true]);
  },
);
