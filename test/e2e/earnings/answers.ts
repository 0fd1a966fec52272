/** What an independent program answers to "what was sold, refunded, charged back and earned", and how answers are added up. */

export type Row = Readonly<Record<string, unknown>>;

type Amounts = Readonly<Record<string, number>>;

/** Amounts in cents. A way leaves out what it doesn't answer. */
export interface Answer {
  readonly earned?: number;
  readonly refunded?: number;
  readonly chargedBack?: number;
  readonly net?: number;
  /** What sales earned, without rebills. */
  readonly sold?: number;
  readonly sales?: number;
  readonly rebills?: number;
  readonly refunds?: number;
  readonly chargebacks?: number;
  /** All together. */
  readonly transactions?: number;
  /** What customers paid by currency. */
  readonly paid?: Amounts;
  /** What they got back. */
  readonly paidBack?: Amounts;
  /** What they paid less what they got back. */
  readonly paidNet?: Amounts;
}

export interface Order {
  readonly receipt: string;
  readonly transactionType: string;
  readonly transactionTime: string;
  readonly role: string;
  readonly currency: string;
  readonly totalOrderAmount: unknown;
  readonly lineItemData: unknown;
}

/** A share of a transaction, as cb lists it. */
export interface Sold extends Order {
  readonly vendor: string;
  readonly affiliate: string | null;
  readonly lineItemData: readonly (Row & { readonly itemNo: string })[];
}

export function cents(amount: unknown): number {
  return Math.round(Number(amount || 0) * 100);
}

/** `-$1,234.50` as cents. */
export function dollars(text: string): number {
  return cents(text.replaceAll(/[$,]/g, '').replace('−', '-'));
}

export function listOf(value: unknown): readonly Row[] {
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]) as readonly Row[];
}

export function shareOf({ lineItemData }: Pick<Order, 'lineItemData'>): number {
  return listOf(lineItemData).reduce((sum, { accountAmount }) => {
    return sum + (typeof accountAmount === 'object' ? 0 : cents(accountAmount));
  }, 0);
}

/** A row of any file: what it means, and in cents what the account earns and what the customer paid. */
export interface Part {
  readonly kind: string;
  readonly earned: number;
  readonly paid?: number;
  readonly currency?: string;
  /** Rows with the same one are one transaction; undefined for a row that is a part of the transaction above. */
  readonly transaction?: string | undefined;
}

const kindOf: Readonly<Record<string, string>> = {
  ...{ SALE: 'sale', BILL: 'rebill', RFND: 'refund', CGBK: 'chargeback' },
};

export function addUp(rows: readonly Part[]): Required<Answer> {
  const of = (...kinds: string[]) =>
    rows.filter(({ kind }) => kinds.includes(kindOf[kind] ?? kind));
  const amount = (...kinds: string[]) => of(...kinds).reduce((sum, { earned }) => sum + earned, 0);
  const count = (kind: string) =>
    new Set(of(kind).flatMap(({ transaction }) => transaction ?? [])).size;
  const [earned, refunded] = [amount('sale', 'rebill'), 0 - amount('refund')];
  const chargedBack = 0 - amount('chargeback');
  const counts = {
    ...{ sales: count('sale'), rebills: count('rebill') },
    ...{ refunds: count('refund'), chargebacks: count('chargeback') },
  };
  const paid = byCurrency(of('sale', 'rebill'));
  const paidBack = byCurrency(of('refund', 'chargeback'), -1);
  return {
    ...{ earned, refunded, chargedBack, net: earned - refunded - chargedBack },
    ...{ sold: amount('sale'), ...counts },
    transactions: Object.values(counts).reduce((sum, one) => sum + one, 0),
    ...{ paid, paidBack, paidNet: byCurrency(of('sale', 'rebill', 'refund', 'chargeback')) },
  };
}

/** The parts of a transaction have its amount once. */
function byCurrency(rows: readonly Part[], sign = 1): Amounts {
  const sums: Record<string, number> = {};
  const priced = rows.filter(({ paid }) => paid !== undefined);
  for (const { currency = '', paid = 0 } of new Map(
    priced.map((one, at) => [one.transaction ?? at, one]),
  ).values()) {
    sums[currency] = (sums[currency] ?? 0) + sign * paid;
  }
  return withoutZeros(sums);
}

export function withoutZeros(sums: Amounts): Amounts {
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

export function partOf(order: Order, hasRole = false): Part {
  const { receipt, transactionType, transactionTime, currency, totalOrderAmount, role } = order;
  return {
    ...{ kind: transactionType, earned: shareOf(order), paid: cents(totalOrderAmount), currency },
    transaction: `${receipt} ${transactionTime} ${hasRole ? role : ''}`,
  };
}

/** The answers that there are. */
export interface Expected {
  /** All shares; a transaction between two own accounts counts once. */
  readonly whole: Required<Answer>;
  /** Without what an own account earned as the affiliate of another one. */
  readonly listed: Required<Answer>;
  /** All shares; such a transaction counts with each of its roles. */
  readonly eachRole: Required<Answer>;
}

/** The listed shares, and those as affiliate in what another account sold, which the list leaves out. */
export function withReferred<One extends Order>(listed: readonly One[], referred: typeof listed) {
  const id = (one: One) => `${one.receipt} ${one.transactionType} ${one.transactionTime}`;
  const seen = new Set(listed.filter(({ role }) => role === 'AFFILIATE').map(id));
  return [...listed, ...referred.filter((one) => !seen.has(id(one)))];
}

interface Service {
  readonly url: string;
  readonly key: string;
  readonly first: string;
  readonly last: string;
}

/** Reads all pages over HTTP, and knows nothing of cb. */
export async function expectedAnswers(service: Service): Promise<Expected> {
  const listed = await rawOrders(service);
  const all = withReferred(listed, await rawOrders(service, 'AFFILIATE'));
  return {
    // The row of the vendor comes first, and has what the customer paid as that of the affiliate has it.
    whole: addUp(all.map((one) => partOf(one))),
    listed: addUp(listed.map((one) => partOf(one))),
    eachRole: addUp(all.map((one) => partOf(one, true))),
  };
}

async function rawOrders({ url, key, first, last }: Service, role?: string): Promise<Order[]> {
  const found: Order[] = [];
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ startDate: first, endDate: last, ...(role && { role }) });
    const headers = { authorization: key, accept: 'application/json', page: String(page) };
    const reply = await fetch(`${url}/rest/1.3/orders2/list?${query}`, { headers });
    const body = (await reply.json()) as { orderData?: Order | Order[] } | null;
    found.push(...(listOf(body?.orderData) as unknown as Order[]));
    if (reply.status !== 206) return found;
  }
}
