/** The fields of every response and their types are those of the transcription in test/sandbox/codec/official-elements.ts. */
import { expect, test } from 'vitest';
import { analytics, answerOnlyFigures } from '../../src/operations/analytics.ts';
import { catalogue } from '../../src/operations/index.ts';
import { nickname } from '../../src/operations/quickstats.ts';
import type { Field, Resource } from '../../src/operations/resource.ts';
import {
  type Elements,
  fieldsIn,
  newer,
  officialElements,
} from '../sandbox/codec/official-elements.ts';

/** As in the transcription. */
const letters: Readonly<Record<string, string>> = {
  text: 's',
  decimal: 'd',
  integer: 'i',
  boolean: 'b',
  time: 't',
  day: 't',
};

function fieldsOf({ fields }: Resource, at = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    linesOf(field, at + nameOf(name, field)),
  );
}

function nameOf(name: string, field: Field): string {
  return `${field.attribute ? '@' : ''}${name}${field.kind === 'list' ? '[]' : ''}`;
}

function linesOf({ kind, resource }: Field, path: string): string[] {
  if (resource && Object.keys(resource.fields).length === 0) return [`${path} *`];
  if (resource) return fieldsOf(resource, `${path}.`);
  return [`${path} ${kind === 'list' ? 's' : (letters[kind] ?? kind)}`];
}

/** The same lines for an element of the transcription and its descendants. */
function transcribedFields(elements: Elements, path: string, at = ''): string[] {
  return fieldsIn(elements[path] ?? '').flatMap(({ name, type, marks }) => {
    const here = `${at}${name}${marks.includes('[]') ? '[]' : ''}`;
    if (type) return [`${here} ${type}`];
    const inner = `${path}/${name}`;
    return elements[inner] === '*' ? [`${here} *`] : transcribedFields(elements, inner, `${here}.`);
  });
}

/** Each resource of rows once for each service, with the name of its element, and of the document around it. */
const answers = new Map(
  catalogue.flatMap(({ method, path, returns }) => {
    // Its rows are those of other quickstats, with the nickname only.
    if (!('resource' in returns) || path.endsWith('/accounts')) return [];
    const [, , service = ''] = path.split('/');
    const { resource, inside } = 'inside' in returns ? returns : { ...returns, inside: undefined };
    const [name, wrapper] = [resource, inside].map((one) => one?.root ?? one?.element ?? '');
    const row = { resource, service, name, wrapper, request: `${method} ${path}` };
    return [[`${service} ${name} ${wrapper} ${Object.keys(resource.fields).length}`, row] as const];
  }),
);

test.each([...answers.values()])(
  '$request returns the documented fields and types',
  ({ resource, service, name, wrapper }) => {
    const found = Object.entries(officialElements)
      .filter(([schema]) => schema.startsWith(`${service}/`))
      .flatMap(([, elements]) =>
        Object.keys(elements)
          .filter((path) => new RegExp(`^(${name}|${wrapper}/.*/${name})$`, 'i').test(path))
          .map((path) => transcribedFields(elements, path)),
      );
    const more = resource.fields.returnCount ? Object.entries(newer) : [];
    const newerFields = more.map(([field, letter]) => `${field} ${letter}`);
    expect(found.map((fields) => [...fields, ...newerFields].sort())).toContainEqual(
      fieldsOf(resource).sort(),
    );
  },
);

test('returns only the nicknames of accounts', () => {
  expect(fieldsOf(nickname)).toEqual(['nickName s']);
});

test('lists all figures of the schema for analytics, including those that cannot be selected', () => {
  const selected = Object.keys(analytics.dimension.params.select.values ?? {});
  const schema = `DIMENSION_VALUE HOP_COUNT ORDER_IMPRESSION INITIAL_ORDER_IMPRESSION UPSELL_ORDER_IMPRESSION
    TOTAL_ORDER_IMPRESSION ORDER_SUBMISSION SALE_COUNT SALE_AMOUNT REFUND_COUNT REFUND_AMOUNT
    CHARGEBACK_COUNT CHARGEBACK_AMOUNT REBILL_COUNT REBILL_AMOUNT UPSELL_COUNT UPSELL_AMOUNT
    GROSS_SALE_COUNT GROSS_SALE_AMOUNT NET_SALE_COUNT NET_SALE_AMOUNT EARNINGS_PER_HOP
    EARNINGS_PER_CLICK HOPS_PER_SALE HOPS_PER_ORDER_FORM_IMPRESSION ORDER_FORM_SALE_CONVERSION
    REFUND_RATE CHARGEBACK_RATE`;
  expect([...selected, ...answerOnlyFigures].sort()).toEqual(schema.split(/\s+/).sort());
});
