/** Compares a copy with what the service lists, row by row and column by column. */
import { addDays } from '../../../../src/dates/day.ts';
import type { SqlReader } from '../../../../src/features/sync/destination.ts';
import { sources } from '../../../../src/features/sync/tables/sources.ts';
import { type ChildFacts, camelCase, ownColumns, tableFacts, valueAt } from './fields.ts';
import type { Json } from './service.ts';

/** One thing in which the copy is not the service. */
export interface Difference {
  readonly table: string;
  readonly id: string;
  /** A field of the service, such as `lineItemData.status`; `row` for a row too many or too few. */
  readonly field: string;
  /** The Pacific day of the row; undefined in lists without days. */
  readonly day: string | undefined;
  readonly copy: unknown;
  readonly service: unknown;
}

type Found = Omit<Difference, 'table' | 'id' | 'day'>;

/** The source that a table belongs to. */
export const sourceOf = (table: string) =>
  sources.find((source) => source.tables.some(({ name }) => name === table))?.name ?? '';

const pacific = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Los_Angeles',
  dateStyle: 'short',
});

const days = new Map<string, string>();

/** The Pacific day of a time, apart from the date code of cb. */
function dayOf(time: unknown): string | undefined {
  if (typeof time !== 'string') return undefined;
  const day = days.get(time) ?? pacific.format(new Date(time));
  days.set(time, day);
  return day;
}

function parsed(raw: unknown): Json {
  return typeof raw === 'string' ? JSON.parse(raw) : (raw as Json);
}

/** Whether a column holds the value of a field. */
function holds(column: string, value: unknown, cell: unknown): boolean {
  if (value === null || cell === null) return value === cell;
  if (column === 'day' || column.endsWith('_day')) return dayOf(value) === String(cell);
  if (column.endsWith('_time') && column !== 'email_at_order_time') {
    return new Date(String(value)).getTime() === new Date(String(cell)).getTime();
  }
  if (typeof value === 'boolean') return cell === value || cell === Number(value);
  if (column.endsWith('_month')) return value === String(cell);
  if (typeof cell === 'number' || typeof value === 'number') return Number(value) === Number(cell);
  return String(value) === String(cell);
}

interface Columns {
  readonly fields: Readonly<Record<string, string>>;
  readonly time: string | undefined;
  readonly prefix: string;
  readonly computed: Json | undefined;
  /** Where a field is looked up, first to last. */
  readonly places: readonly Json[];
}

function differingColumns(row: Json, columns: Columns): Found[] {
  const { fields, time, prefix, computed = {}, places } = columns;
  return Object.entries(row).flatMap(([column, copy]) => {
    if (ownColumns.has(column)) return [];
    if (column in computed) {
      const service = computed[column];
      return holds(column, service, copy) ? [] : [{ field: `${prefix}${column}`, copy, service }];
    }
    const isDay = column === 'day' || column.endsWith('_day');
    const path = fields[column] ?? (isDay && time ? time : camelCase(column));
    const values = places.map((place) => valueAt(place, path));
    const service = values.find((value) => value !== null) ?? null;
    return holds(column, service, copy) ? [] : [{ field: `${prefix}${path}`, copy, service }];
  });
}

/** Fields of two rows that differ; those of elements of a list by the name of the list. */
function differingFields(copy: Json, service: Json, prefix = ''): Found[] {
  const names = new Set([...Object.keys(copy), ...Object.keys(service)]);
  return [...names].flatMap((name) => {
    const [one, other] = [copy[name], service[name]];
    if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
      return one.flatMap((element, i) => differingFields(element, other[i], `${prefix}${name}.`));
    }
    const isSame = JSON.stringify(one) === JSON.stringify(other);
    return isSame ? [] : [{ field: `${prefix}${name}`, copy: one, service: other }];
  });
}

/** jsonb stores objects with their names in another order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

function childDifferences(
  { list, fields, computed }: ChildFacts,
  parent: Json,
  children: readonly Json[],
  time: string | undefined,
): Found[] {
  const elements = valueAt(parent, list);
  const expected: readonly Json[] = Array.isArray(elements) ? elements : [];
  const byPosition = new Map(children.map((child) => [Number(child.position), child]));
  const found = expected.flatMap((element, i) => {
    const child = byPosition.get(i + 1);
    if (!child) return [{ field: `${list}.row`, copy: undefined, service: element }];
    const places = [element, parent];
    const own = computed?.(parent, i);
    return differingColumns(child, { fields, time, prefix: `${list}.`, computed: own, places });
  });
  const extra = children.length - expected.length;
  if (extra !== 0)
    found.push({ field: `${list}.row`, copy: children.length, service: expected.length });
  return found;
}

async function childrenOf(sql: SqlReader, facts: ChildFacts | undefined) {
  const grouped = new Map<string, Json[]>();
  for (const child of facts ? await sql.query<Json>(`SELECT * FROM ${facts.table}`) : []) {
    const parent = String(child[facts?.parent ?? '']);
    grouped.set(parent, [...(grouped.get(parent) ?? []), child]);
  }
  return grouped;
}

async function tableDifferences(
  sql: SqlReader,
  table: string,
  listed: readonly Json[],
): Promise<Difference[]> {
  const facts = tableFacts[table];
  if (!facts) throw new Error(`${table} is not compared.`);
  const { idOf, fields, time, computed, children: childFacts } = facts;
  const children = await childrenOf(sql, childFacts);
  const differences: Difference[] = [];
  const service = new Map(listed.map((row) => [idOf(row), row]));
  if (service.size !== listed.length) throw new Error(`${table} has rows with equal IDs.`);
  for (const row of await sql.query<Json>(`SELECT * FROM ${table}`)) {
    const raw = sorted(parsed(row.raw)) as Json;
    const id = idOf(raw);
    const own = service.get(id);
    const day = dayOf(time && raw[time]);
    const add = (where: string, found: readonly Found[]) =>
      differences.push(...found.map((one) => ({ table: where, id, day, ...one })));
    const mine = children.get(String(row[childFacts?.parent ?? ''])) ?? [];
    children.delete(String(row[childFacts?.parent ?? '']));
    if (!own) {
      add(table, [{ field: 'row', copy: raw, service: undefined }]);
      continue;
    }
    service.delete(id);
    const wanted = sorted(own) as Json;
    const columns = { fields, time, prefix: '' };
    add(table, differingFields(raw, wanted));
    add(
      table,
      differingColumns(row, { ...columns, computed: computed?.(wanted), places: [wanted] }),
    );
    if (childFacts) add(childFacts.table, childDifferences(childFacts, wanted, mine, time));
  }
  for (const [id, row] of service) {
    const day = dayOf(time && row[time]);
    differences.push({ table, id, field: 'row', day, copy: undefined, service: row });
  }
  for (const [id, rows] of children) {
    const facts = { field: 'row', day: undefined, copy: rows, service: undefined };
    differences.push({ table: childFacts?.table ?? '', id, ...facts });
  }
  return differences;
}

const lookBack = 60;

/**
 * What ClickBank changes in place without any new row. Beyond the look-back, it is as it was when the row was last
 * read; docs/copy-tables.md says so. Everything else in old rows is compared like the rest.
 */
const subscription = ['status', 'nextPaymentDate', 'processedPayments', 'futurePayments'];
const items = [...subscription, 'rebillAmount'].map((name) => `lineItemData.${name}`);
const address = ['firstName', 'lastName', 'fullName', 'country', 'state', 'postalCode'];

const lagging: Readonly<Record<string, readonly string[]>> = {
  orders: ['customerRefundableState', ...address, ...items],
  order_items: items,
  shipments: [...address, 'address1', 'address2', 'city'],
};

/** All differences of all tables, without what may lag, and rows before the days that are compared. */
export async function differencesOf(
  sql: SqlReader,
  listed: ReadonlyMap<string, readonly Json[]>,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<readonly Difference[]> {
  const all: Difference[] = [];
  for (const [table, rows] of listed) all.push(...(await tableDifferences(sql, table, rows)));
  const edge = addDays(last, -lookBack);
  return all.filter(({ table, field, day, service }) => {
    if (day === undefined || day >= edge) return true;
    // Rows of earlier days come with the changes of tickets; notices of earlier days stay as they are.
    if (service === undefined && (day < first || table === 'ship_notices')) return false;
    return !lagging[table]?.includes(field);
  });
}
