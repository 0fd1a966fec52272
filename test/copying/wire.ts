/** Bodies of lists: as the service writes them, and in every way that it does not. */
import fc from 'fast-check';
import type { Field, Resource } from '../../src/operations/resource.ts';

/** A part of a body, as it is written. */
type Json = fc.Arbitrary<string>;

const oddText = fc.constantFrom(
  ...[
    '',
    'a',
    ' a',
    '007',
    '-5',
    '+1',
    '=1+1',
    '@x',
    '-a',
    '+1-555',
    '1e5',
    '11.90',
    '-0',
    '.5',
    '5.',
  ],
  ...[
    '01',
    'true',
    'false',
    'TRUE',
    'null',
    ',',
    ';',
    '|',
    'a,b',
    "'",
    '"',
    'a"b',
    '\\',
    '\\n',
    '\t',
  ],
  ...['\n', '\r\n', '\u0000', '\u001f', '\u007f', '\u0085', '\u00a0', '\u00ad', '\u061c', '\u200b'],
  ...[
    '\u2028',
    '\u202e',
    '\u3000',
    '\ufeff',
    '＝1',
    '＋1',
    'ü',
    'Ünal',
    'Жан',
    'ش',
    'अ',
    '漢字',
    '👍',
    '\ud800',
  ],
  ...['{"@nil":"true"}', '}', ']', '"}', '@nil', '2026-02-18T15:11:38-08:00', 'x'.repeat(300)],
);

const textValue = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[A-Za-z][\w .:-]{0,20}$/) },
  { weight: 2, arbitrary: oddText },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);

/** The same text, with more escapes than it needs or with none. */
const text: Json = fc.oneof(
  { weight: 12, arbitrary: textValue.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: textValue.map((value) => JSON.stringify(value).replace(/\//g, '\\/')) },
  {
    weight: 1,
    arbitrary: fc.stringMatching(/^\w{1,4}$/).map((value) => `"\\u0041${value}\\u00e9"`),
  },
);

const digits = fc.constantFrom('0', '7', '42', '1000000', '12345678901234567890');
const number: Json = fc.oneof(
  { weight: 8, arbitrary: digits.map((value) => `"${value}"`) },
  {
    weight: 8,
    arbitrary: fc.tuple(digits, digits).map(([whole, part]) => `"${whole}.${part}"`),
  },
  { weight: 2, arbitrary: digits.map((value) => `"-${value}"`) },
  { weight: 1, arbitrary: text },
);

const bareNumber: Json = fc.constantFrom('1.0', '-0', '1e3', '12345678901234567890', '7');

const nothing = fc.constantFrom('{"@nil":"true"}', 'null');

/** What hardly ever stands where a value should. */
const strange: Json = fc.constantFrom(
  ...['{"@nil":true}', '{ "@nil" : "true" }', '{"@nil":"false"}', '{"@type":"xs:long","$":"31"}'],
  ...[
    'true',
    'false',
    '{}',
    '[]',
    '""',
    '[null]',
    '[""]',
    '[[]]',
    '{"a":{"b":"c"}}',
    '["a",{"b":1}]',
  ],
  ...['{"@xmlns":"x","$":"1.5"}', '{"__proto__":"x"}', ' "a" '],
);

function scalar({ kind }: Field): Json {
  if (kind === 'integer' || kind === 'decimal') return number;
  if (kind === 'boolean') {
    return fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('"true"', '"false"') },
      { weight: 1, arbitrary: text },
    );
  }
  return text;
}

function value(field: Field, oddness: number): Json {
  const { kind, resource } = field;
  const inner = resource ? elementOf(resource, 2 * oddness) : text;
  const some =
    kind === 'list'
      ? fc.oneof(
          { weight: 2, arbitrary: inner },
          fc
            .array(fc.oneof({ weight: 8, arbitrary: inner }, nothing), { maxLength: 3 })
            .map(listed),
        )
      : kind === 'object' && resource
        ? inner
        : scalar(field);
  return fc.oneof(
    { weight: 16, arbitrary: some },
    { weight: 3, arbitrary: nothing },
    { weight: oddness > 0 ? 1 : 0, arbitrary: fc.oneof(strange, bareNumber, text, number) },
  );
}

function listed(elements: readonly string[]): string {
  return `[${elements.join(',')}]`;
}

/** Of a resource whose fields the service does not fix. */
const anyObject: Json = fc
  .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), textValue, { maxKeys: 3 })
  .map((fields) => JSON.stringify(fields));

/** Evenly from 0 to 1. */
const chances = fc.nat(9999).map((n) => n / 10_000);

/** An object with some of its fields in their order; with the given chance something else is about it. */
function elementOf({ fields }: Resource, oddness: number): Json {
  if (Object.keys(fields).length === 0) return anyObject;
  const known = Object.entries(fields).map(([name, field]) =>
    fc.option(
      value(field, oddness).map(
        (json) => `${JSON.stringify(field.attribute ? `@${name}` : name)}:${json}`,
      ),
      { freq: 6, nil: undefined },
    ),
  );
  const unknown = fc.constantFrom('"late":"a"', '"@late":"a"', '"$":"a"', '"@nil":"false"');
  const change = fc.oneof(
    fc.record({ how: fc.constant('add'), field: unknown, at: fc.nat(30) }),
    fc.record({ how: fc.constantFrom('swap', 'repeat', 'space'), field: unknown, at: fc.nat(30) }),
  );
  return fc
    .tuple(fc.tuple(...known), change, chances)
    .map(([parts, { how, field, at }, chance]) => {
      const there = parts.filter((part) => part !== undefined);
      if (chance >= oddness) return `{${there.join(',')}}`;
      if (how === 'add') there.splice(at % (there.length + 1), 0, field);
      else if (how === 'swap') there.unshift(...there.splice(at % (there.length + 1), 1));
      else if (how === 'repeat') there.push(...there.slice(at % (there.length + 1)).slice(0, 1));
      else return `{ ${there.join(' , ')}}`;
      return `{${there.join(',')}}`;
    });
}

/** The body of a page of a resource; `oddness` is the chance that a row is of another make than the service's: 0 for none. */
export function listBody(resource: Resource, oddness: number): Json {
  const rows = fc.array(elementOf(resource, oddness), { minLength: 1, maxLength: 4 });
  const wrapped = (inner: string) => `{${JSON.stringify(resource.element)}:${inner}}`;
  return fc.oneof(
    { weight: 12, arbitrary: rows.map((all) => wrapped(listed(all))) },
    { weight: 2, arbitrary: rows.map(([one = '{}']) => wrapped(one)) },
    {
      weight: oddness > 0 ? 1 : 0,
      arbitrary: fc.oneof(
        rows.map(listed),
        rows.map((all) => `{"total":"3",${wrapped(listed(all)).slice(1)}`),
        rows.map((all) => `{"list":${wrapped(listed(all))}}`),
        rows.map((all) => ` ${wrapped(listed(all))}\n`),
        rows.map((all) => `\ufeff${wrapped(listed(all))}`),
        rows.map((all) => wrapped(listed([...all, 'null']))),
        fc.constantFrom(
          'null',
          '{}',
          '',
          wrapped('null'),
          wrapped('[]'),
          wrapped('{"@nil":"true"}'),
        ),
      ),
    },
  );
}

/** The same bytes, with a few of them changed, left out or put in, or without their end. */
export function damaged(body: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('"\\{}[],:0-. \n')));
  const change = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('set', 'drop', 'put', 'cut'),
    byte,
  });
  return fc.tuple(body, fc.array(change, { minLength: 1, maxLength: 3 })).map(([text, changes]) => {
    let bytes = Buffer.from(text);
    for (const { at, how, byte } of changes) {
      const place = bytes.length === 0 ? 0 : at % bytes.length;
      const before = bytes.subarray(0, place);
      const behind = bytes.subarray(how === 'put' ? place : place + 1);
      const put = how === 'set' || how === 'put' ? [byte] : [];
      bytes = how === 'cut' ? Buffer.from(before) : Buffer.from([...before, ...put, ...behind]);
    }
    return bytes;
  });
}
