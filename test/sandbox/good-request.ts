/** A successful request for each operation, with values that a test can change. */
import type { Operation, Param } from '../../src/operations/operation.ts';
import type { Sandbox } from '../../src/sandbox/http/server.ts';
import { ask, type RawResponse } from './raw.ts';

export type Values = Readonly<Record<string, string>>;

/** The query that saves a product. */
export const NEW_PRODUCT =
  'site=GREENLEAF&currency=USD&price=10.00&language=EN&title=New&pitchPage=http://a.example&thankYouPage=http://a.example&digital=true&categories=EBOOK';

/** Valid values by parameter name for most operations. */
const usual: Values = {
  ...{ account: 'GREENLEAF', site: 'GREENLEAF', receipt: 'MONTHLY1', id: '1001' },
  ...{ startDate: '2026-01-01', endDate: '2026-02-01', role: 'VENDOR', sku: 'CLUB-M' },
};

const notice = 'receipt=PARCEL01&sku=&date=2026-03-18&carrier=USPS';

/** Valid values of single operations, by command, as queries; an empty value is left out. */
const special: Readonly<Record<string, string>> = {
  'tickets create': 'receipt=DIGITAL1&type=rfnd&reason=ticket.type.refund.2&refundType=FULL&sku=',
  'tickets reopen': 'id=1002',
  'tickets returned': 'id=1004',
  'tickets refund-amounts': 'refundType=FULL',
  'orders upsells': 'receipt=UPSELL01',
  'orders reinstate': 'receipt=CANCEL01&sku=',
  'orders pause': 'restartDate=2026-04-20',
  'orders change-date': 'changeDate=2026-04-20',
  'orders extend': 'receipt=LIMITED1&sku=&numPeriods=1',
  'orders change-product': 'oldSku=CLUB-M&newSku=CLUB-PLUS-M',
  'orders change-address':
    'receipt=SHIPBOX1&firstName=Ada&lastName=Sample&address1=1 Main St&city=Boise&province=ID&countryCode=US&postalCode=83706',
  'products list': 'type=STANDARD',
  'products save': `sku=NEW1&${NEW_PRODUCT}`,
  'products delete': 'sku=KIT-03',
  ...Object.fromEntries(
    [1, 2, 3].flatMap((generation) => [
      [`ship notice add --generation ${generation}`, notice],
      [`ship notice list --generation ${generation}`, 'receipt=PARCEL01'],
      [`ship list --generation ${generation}`, 'receipt=PARCEL01'],
    ]),
  ),
};

const byKind: Readonly<Record<Param['kind'], string>> = {
  ...{ text: 'x', choice: 'x', integer: '1', decimal: '10.00', boolean: 'true' },
  date: '2026-03-01',
};

export const isInPath = ({ path }: Operation, name: string) => path.includes(`{${name}}`);

/** Values with which the operation succeeds, without optional parameters. */
export function goodValues(operation: Operation): Record<string, string> {
  const values: Record<string, string> = {};
  const known: Values = Object.fromEntries(new URLSearchParams(special[operation.command]));
  for (const [name, param] of Object.entries(operation.params)) {
    const [choice] = Object.keys(param.values ?? {});
    const wanted = param.required || isInPath(operation, name);
    const made = wanted ? (choice ?? byKind[param.kind]) : '';
    const value = param.constant ?? known[name] ?? usual[name] ?? made;
    if (value !== '') values[name] = value;
  }
  return values;
}

export function sendTo(
  sandbox: Sandbox,
  operation: Operation,
  values: Values,
  headers: Values = {},
): Promise<RawResponse> {
  let path = operation.path;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(value));
    else query.append(name, value);
  }
  return ask(sandbox, operation.method, `/rest${path}?${query}`, headers);
}
