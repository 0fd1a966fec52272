/** Turns rows of the service into rows of the tables. */

import type { Resource } from '../../../operations/resource.ts';
import type { TableRows } from '../destination.ts';
import {
  type Cell,
  cellOf,
  columnsOf,
  type RowFacts,
  type ServiceRow,
  type Source,
} from './table.ts';

interface RowMaker {
  readonly account: string;
  /** ISO 8601, in UTC. */
  readonly syncedAt: string;
  /** Whether the personal data of a row is left out. */
  isAnonymous(row: ServiceRow): boolean;
}

/**
 * Creates a function that returns the rows of all tables of a source for some of its rows, and calls it with the rows
 * of one window in order: a repeated identity gets a suffix.
 */
export function rowMaker(source: Source, { account, syncedAt, isAnonymous }: RowMaker) {
  const seen = new Map<string, number>();
  const distinct = (id: string) => {
    const times = (seen.get(id) ?? 0) + 1;
    seen.set(id, times);
    return times === 1 ? id : `${id}.${times}`;
  };
  const tables = source.tables.map((table) => ({ ...table, all: columnsOf(table) }));
  return (rows: readonly { readonly row: ServiceRow; readonly day: string }[]): TableRows => {
    const made = new Map<string, Cell[][]>(tables.map(({ name }) => [name, []]));
    for (const { row, day } of rows) {
      const id = distinct(source.idOf(row));
      const anonymous = isAnonymous(row);
      const raw = anonymous ? withoutPersonalData(row, source.resource) : row;
      for (const { name, all, items } of tables) {
        const elements = items ? items(row) : [row];
        for (const [i, item] of elements.entries()) {
          const facts: RowFacts = { item, row, position: i + 1, id, day };
          made.get(name)?.push(
            all.map(({ name, type, personal, from }) => {
              if (name === 'account') return account;
              if (name === 'synced_at') return syncedAt;
              if (name === 'raw') return cellOf(raw, type);
              return personal && anonymous ? null : cellOf(from(facts), type);
            }),
          );
        }
      }
    }
    return made;
  };
}

/**
 * Fields of the service that hold names, addresses, phone numbers, or text that customers or support wrote. The texts
 * of products are the vendor's, but `description` is left out there, too: their column has it.
 */
const personalFields = new Set([
  ...['firstName', 'lastName', 'fullName', 'email', 'postalCode', 'customerContactInfo'],
  ...['customerFirstName', 'customerLastName', 'customerDisplayName', 'emailAtOrderTime'],
  ...['address1', 'address2', 'city', 'phoneNumber', 'shippedTo', 'last_action_performed_by'],
  ...['description', 'note', 'comment', 'comments', 'vendorVariables'],
]);

/** Keeps only known fields that are not personal: a field that nobody has looked at may be. */
export function withoutPersonalData(row: ServiceRow, resource: Resource): ServiceRow {
  const kept = Object.entries(row).filter(
    ([name]) => name in resource.fields && !personalFields.has(name),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const inner = resource.fields[name]?.resource;
      return [name, inner ? stripped(value, inner) : value];
    }),
  );
}

function stripped(value: unknown, resource: Resource): unknown {
  if (Array.isArray(value)) return value.map((one) => stripped(one, resource));
  if (typeof value !== 'object' || value === null) return value;
  return withoutPersonalData(value as ServiceRow, resource);
}
