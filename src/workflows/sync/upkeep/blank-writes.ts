/** Removes what names a customer from the ledger of writes. */
import { withoutPerson } from '../../../ledger/entry.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { catalogue } from '../../../operations/index.ts';

/** Changes the entries about these orders, by their first receipt, and about these tickets. */
export async function blankWrites(ledger: Ledger, subjects: ReadonlySet<string>): Promise<void> {
  const isAbout = (subject = '') => subjects.has(subject.toUpperCase().split('-')[0] ?? '');
  await ledger.alter((entry) => {
    if (!isAbout(entry.about) && !isAbout(entry.ticket)) return entry;
    const operation = catalogue.find(({ command }) => command === entry.operation);
    return withoutPerson(entry, operation?.params ?? {});
  });
}
