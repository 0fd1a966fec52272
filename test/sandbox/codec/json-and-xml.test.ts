/**
 * JSON and XML of a response have the same content, and JSON has the structure of the resource, for every operation
 * that returns rows, after writes and after months.
 */
import { XmlDocument, type XmlElement } from 'libxml2-wasm';
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import type { Returns } from '../../../src/operations/operation.ts';
import { goodValues, sendTo } from '../good-request.ts';
import { ask, openSandbox } from '../raw.ts';
import { faultsInJson } from './shape.ts';

const DAY = 86_400;

type Row = Readonly<Record<string, unknown>>;
type Leaves = Readonly<Record<string, number>>;

function count(leaves: Record<string, number>, leaf: string): void {
  leaves[leaf] = (leaves[leaf] ?? 0) + 1;
}

const isScalar = (value: object) =>
  '$' in value && Object.keys(value).every((key) => key.startsWith('@') || key === '$');

/** Each scalar with its path, without list positions, and its number of occurrences. */
function leavesOfJson(value: unknown, path: string, leaves: Record<string, number>): Leaves {
  if (Array.isArray(value)) for (const one of value) leavesOfJson(one, path, leaves);
  else if (typeof value !== 'object' || value === null) count(leaves, `${path}=${value ?? ''}`);
  else if (isScalar(value)) count(leaves, `${path}=${(value as { $: string }).$}`);
  else if ((value as Row)['@nil'] === 'true') count(leaves, `${path}=nil`);
  else {
    for (const [key, inner] of Object.entries(value))
      leavesOfJson(inner, `${path}/${key.replace('@', '')}`, leaves);
  }
  return leaves;
}

function leavesOfXml(element: XmlElement, path: string, leaves: Record<string, number>): Leaves {
  const attributes = element.attrs.filter(({ name }) => name !== 'type');
  const isNil = attributes.some(({ name }) => name === 'nil');
  for (const { name, value } of attributes) {
    if (name !== 'nil') count(leaves, `${path}/${name}=${value}`);
  }
  const children = element.find('*') as XmlElement[];
  for (const child of children) leavesOfXml(child, `${path}/${child.name}`, leaves);
  if (isNil) count(leaves, `${path}=nil`);
  else if (children.length === 0) count(leaves, `${path}=${element.content}`);
  return leaves;
}

/** An empty list is null in JSON and an element without content in XML. */
const withoutNothing = (leaves: Leaves) =>
  Object.fromEntries(Object.entries(leaves).filter(([leaf]) => !leaf.endsWith('=')));

const PERIODS: Readonly<Record<string, string>> = {
  startDate: '2026-01-01',
  endDate: '2026-07-01',
  days: '365',
};

/** The broadest search of the operation. */
function valuesFor(operation: (typeof catalogue)[number]) {
  const { receipt, ...values } = goodValues(operation);
  const periods = Object.entries(PERIODS).filter(([name]) => name in operation.params);
  const isNeeded = receipt !== undefined && operation.path.includes('{receipt}');
  return { ...values, ...(isNeeded && { receipt }), ...Object.fromEntries(periods) };
}

/** The problems of a body. Counts in trends are whole, although the schema allows decimals. */
function faultsIn(returns: Returns, body: Row | null): string[] {
  if (!('resource' in returns) || body === null) return [];
  const { kind, resource } = returns;
  if (kind === 'one') return faultsInJson(resource, body);
  const faults = returns.inside
    ? faultsInJson(returns.inside, body)
    : [body[resource.element]].flat().flatMap((row) => faultsInJson(resource, row));
  return faults.filter((fault) => !/Cnt: \d+ is not a decimal$/.test(fault));
}

const reads = catalogue.filter(({ method, returns }) => method === 'GET' && 'resource' in returns);

const writes = [
  'tickets/CART0003?sku=KIT-02&type=rfnd&reason=ticket.type.refund.8&refundType=PARTIAL_PERCENT&refundAmount=12.5&comment=%3Ca%3E%26',
  'tickets/DIGITAL1?type=rfnd&reason=ticket.type.refund.2&refundType=FULL',
  'orders2/MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M&carryAffiliate=true',
  'shipping2/shipnotice/PARCEL01?date=2026-03-18&carrier=%3CUPS%3E&comments=%20two%20%20spaces%20',
  'shipping3/shipnotice/PARCEL02?date=2026-03-18&carrier=USPS&item=GLOVES&fillOrder=true',
];

test('writes the same values as JSON and XML in every response with rows', async () => {
  const sandbox = await openSandbox({ seed: { orders: 600 } });
  for (const path of writes) {
    const response = await ask(sandbox, 'POST', `/rest/1.3/${path}`, { 'Content-Length': '0' });
    expect([path, response.status < 300], response.text).toEqual([path, true]);
  }
  await sandbox.advance(100 * DAY);
  let values = 0;
  for (const operation of reads) {
    const { command, returns } = operation;
    const send = (accept: string) =>
      sendTo(sandbox, operation, { ...valuesFor(operation) }, { Accept: accept });
    const [json, xml] = [await send('application/json'), await send('application/xml')];
    expect([command, json.status, json.headers['content-type']]).toEqual([
      command,
      xml.status,
      expect.stringContaining('application/json'),
    ]);
    using document = XmlDocument.fromString(xml.text);
    const inXml = leavesOfXml(document.root, '', {});
    const body = JSON.parse(json.text);
    expect(faultsIn(returns, body), command).toEqual([]);
    expect(withoutNothing(leavesOfJson(body, '', {})), command).toEqual(withoutNothing(inXml));
    expect([command, 'resource' in returns, Object.keys(inXml).length > 0]).toEqual([
      command,
      true,
      true,
    ]);
    values += Object.keys(inXml).length;
  }
  expect(values).toBeGreaterThan(5000);
});
