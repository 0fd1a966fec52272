/** Parameters survive the conversion to a URL and back, for every operation. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestFor, urlOf } from '../../src/client/http/request.ts';
import { catalogue } from '../../src/operations/index.ts';
import type { Arguments, Operation, Param } from '../../src/operations/operation.ts';
import { orders } from '../../src/operations/orders.ts';
import { products } from '../../src/operations/products.ts';
import { readArguments } from '../../src/sandbox/http/arguments.ts';
import { matchRoute } from '../../src/sandbox/http/service.ts';
import { isInPath } from '../sandbox/good-request.ts';
import { tier } from '../support/tier.ts';
import { seed, texts } from './typed.ts';

const base = 'http://127.0.0.1:1';

/** An empty value counts as absent, and an incomplete character is refused. */
const whole = texts.filter((text) => text !== '' && !/\p{Cs}/u.test(text));

const kinds: Readonly<Record<Param['kind'], (param: Param) => fc.Arbitrary<unknown>>> = {
  text: () => whole,
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

function argumentsOf(operation: Operation): fc.Arbitrary<Arguments> {
  const params = Object.entries(operation.params);
  const requiredKeys = params
    .filter(([name, { required, constant }]) => {
      return required || constant !== undefined || isInPath(operation, name);
    })
    .map(([name]) => name);
  const values = Object.fromEntries(params.map(([name, param]) => [name, valuesOf(param)]));
  return fc.record(values, { requiredKeys }) as fc.Arbitrary<Arguments>;
}

test.each(catalogue)('$command: passes parameters to the service unchanged', (operation) => {
  fc.assert(
    fc.property(argumentsOf(operation), (args) => {
      // These could be read as another path.
      const isDots = (name: string) =>
        String(args[name])
          .replaceAll('%2F', '/')
          .replaceAll('%20', ' ')
          .split(/[/\\]/)
          .some((segment) => /^\s*\.{1,2}\s*(;|$)/.test(segment));
      fc.pre(!Object.keys(args).some((name) => isInPath(operation, name) && isDots(name)));
      const request = requestFor(operation, args);
      fc.pre(encodeURIComponent(request.path + request.query.join('')).length < 1900);
      const url = new URL(urlOf(base, request));
      const asked = matchRoute(request.method, url.pathname.slice(5), url.searchParams);
      expect(asked.operation).toBe(operation);
      expect(readArguments(operation, asked.values, url.searchParams)).toEqual(args);
    }),
    { seed, numRuns: tier(25, 100) },
  );
});

test('rejects an incomplete character and names its parameter', () => {
  const args = { sku: 'A\ud83d', site: 'SHOP' };
  expect(() => requestFor(products.get, args)).toThrow(/sku contains an incomplete character/);
  const request = requestFor(orders.list, { email: 'ada\udc69' });
  expect(() => urlOf(base, request)).toThrow(/email contains an incomplete character/);
});
