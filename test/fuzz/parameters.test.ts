/** Parameters survive the conversion to a URL and back, for every operation. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestFor, urlOf } from '../../src/client/http/request.ts';
import { catalogue } from '../../src/operations/index.ts';
import type { Arguments, Operation, Param } from '../../src/operations/operation.ts';
import { orders } from '../../src/operations/orders.ts';
import { products } from '../../src/operations/products.ts';
import { readArguments } from '../../src/sandbox/http/arguments.ts';
import { matchRoute, routesOf } from '../../src/sandbox/http/service.ts';
import { tier } from '../support/tier.ts';
import { seed } from './typed.ts';

const routes = routesOf(catalogue);
const base = 'http://127.0.0.1:1';

/** Characters with a meaning in queries or paths. */
const marks = fc.constantFrom(
  ...'&=+%?#/;:@,. \t\r\n"<>\\|',
  '%20',
  '%2F',
  'é',
  '👩‍👩‍👧‍👦',
  '\u0000',
);
const texts = fc
  .array(fc.oneof(marks, fc.string({ unit: 'binary', maxLength: 3 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.join(''))
  // An empty value counts as absent.
  .filter((text) => text !== '');

const kinds: Readonly<Record<Param['kind'], (param: Param) => fc.Arbitrary<unknown>>> = {
  text: () => texts,
  choice: ({ values = {} }) => fc.constantFrom(...Object.keys(values)),
  integer: ({ min = -(2 ** 31), max = 2 ** 31 - 1 }) => fc.integer({ min, max }),
  decimal: () =>
    fc
      .tuple(fc.integer(), fc.stringMatching(/^(\.\d{1,10})?$/))
      .map(([whole, rest]) => whole + rest),
  boolean: () => fc.boolean(),
  date: () =>
    fc
      .date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
};

function valuesOf(param: Param): fc.Arbitrary<unknown> {
  if (param.constant !== undefined) return fc.constant(param.constant);
  const one = kinds[param.kind](param);
  return param.repeatable ? fc.array(one, { minLength: 1, maxLength: 4 }) : one;
}

function argumentsOf({ params, path }: Operation): fc.Arbitrary<Arguments> {
  const names = Object.entries(params);
  const isNeeded = ([name, param]: (typeof names)[number]) =>
    param.required || param.constant !== undefined || path.includes(`{${name}}`);
  return fc.record(Object.fromEntries(names.map(([name, param]) => [name, valuesOf(param)])), {
    requiredKeys: names.filter(isNeeded).map(([name]) => name),
  }) as fc.Arbitrary<Arguments>;
}

/** Values that could be read as another path. */
function isRefused({ path }: Operation, args: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(args).some(
    ([name, value]) => path.includes(`{${name}}`) && ['.', '..'].includes(String(value)),
  );
}

test.each(catalogue.map((operation) => [operation.command, operation] as const))(
  '%s: passes parameters to the service unchanged',
  (_, operation) => {
    fc.assert(
      fc.property(argumentsOf(operation), (args) => {
        fc.pre(!isRefused(operation, args));
        const request = requestFor(operation, args);
        fc.pre(lengthOf(request) < 1900);
        const url = new URL(urlOf(base, request));
        const asked = matchRoute(routes, request.method, url.pathname.slice(5), url.searchParams);
        expect(asked.operation).toBe(operation);
        expect(readArguments(operation, asked.values, url.searchParams)).toEqual(args);
      }),
      { seed, numRuns: tier(25, 100) },
    );
  },
);

function lengthOf({ path, query }: ReturnType<typeof requestFor>): number {
  return encodeURIComponent(path + query.join('')).length;
}

test('rejects an incomplete character and names its parameter', () => {
  const args = { sku: 'A\ud83d', site: 'SHOP' };
  expect(() => requestFor(products.get, args)).toThrow(/sku contains an incomplete character/);
  const request = requestFor(orders.list, { email: 'ada\udc69' });
  expect(() => urlOf(base, request)).toThrow(/email contains an incomplete character/);
});
