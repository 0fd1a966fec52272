/** The catalogue of operations matches the specification exactly. */
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/operations/index.ts';
import type { Operation, Param } from '../../src/operations/operation.ts';
import { outsideTheSpecification, type SpecifiedParam, specification } from './specification.ts';

interface Endpoint {
  readonly method: string;
  readonly path: string;
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const specified = [...specification, ...outsideTheSpecification].map((row) => ({
  ...row,
  name: nameOf(row),
  operations: catalogue.filter((operation) => nameOf(operation) === nameOf(row)),
}));

const typeOf = ({ kind }: Param) => ({ text: 'string', choice: 'enum' })[kind as string] ?? kind;

/** The compared facts of a parameter, without those that the specification leaves open. */
function specifiedFacts(param: SpecifiedParam) {
  return {
    required: param.required,
    ...(param.type && { type: param.type }),
    values: [...(param.values ?? [])].sort(),
    repeatable: param.repeatable ?? false,
    hasDefault: param.default !== undefined,
  };
}

/** Several commands may share an endpoint; together, they accept its parameters. */
function cataloguedFacts(operations: readonly Operation[], spec: SpecifiedParam) {
  const params = operations.flatMap(({ params }) => params[spec.name] ?? []);
  const [first] = params;
  return (
    first && {
      required: params.length === operations.length && params.every(({ required }) => required),
      ...(spec.type && { type: typeOf(first) }),
      values: [...new Set(params.flatMap(({ values }) => Object.keys(values ?? {})))].sort(),
      repeatable: params.some(({ repeatable }) => repeatable),
      hasDefault: params.some(({ fallback }) => fallback !== undefined),
    }
  );
}

describe('the catalogue', () => {
  test('has every operation of the specification, and two of the live service beyond it: images and their schema', () => {
    const names = new Set(catalogue.map(nameOf));
    expect([...names].sort()).toEqual(specified.map(({ name }) => name).sort());
    const outside = outsideTheSpecification.map(nameOf);
    expect(outside).toEqual(['GET /1.3/images/schema', 'GET /1.3/images/list']);
  });

  test('gives every operation its own command', () => {
    const commands = catalogue.map(({ command }) => command);
    expect(commands).toEqual([...new Set(commands)]);
  });

  test('says for every write with a reply what it must show', () => {
    for (const { command, method, returns } of catalogue) {
      const isWrite = method !== 'GET' && method !== 'HEAD';
      const isChecked = 'confirms' in returns && returns.confirms !== undefined;
      expect([command, isChecked]).toEqual([command, isWrite && returns.kind !== 'nothing']);
    }
  });
});

describe.each(specified)('$name', ({ operations, params, roles, isSchema }) => {
  const sent = params.filter(({ where }) => where !== 'header');

  test('requires the roles of the specification', () => {
    for (const operation of operations) {
      expect([...operation.roles].sort()).toEqual([...roles].sort());
    }
  });

  test('accepts the parameters of the specification', () => {
    const names = new Set(operations.flatMap(({ params }) => Object.keys(params)));
    expect([...names].sort()).toEqual(sent.map(({ name }) => name).sort());
    for (const spec of sent) {
      expect({ [spec.name]: cataloguedFacts(operations, spec) }).toEqual({
        [spec.name]: specifiedFacts(spec),
      });
    }
    for (const { name } of sent.filter(({ wildcard }) => wildcard)) {
      for (const { params } of operations) expect(params[name]?.wildcard, name).toBe(true);
    }
  });

  test('is read page by page, or as an XML Schema, if and only if the specification says so', () => {
    const isPaged = params.some(({ name, where }) => where === 'header' && name === 'Page');
    for (const { returns } of operations) {
      expect(returns.kind === 'pages').toBe(isPaged);
      expect(returns.kind === 'schema').toBe(isSchema);
    }
  });
});
