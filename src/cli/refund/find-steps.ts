/** The first steps: which sale it is about. */
import type { Param } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { tickets } from '../../operations/tickets.ts';
import { parsePeriod } from '../dates.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure, failureFrom } from '../failure.ts';
import type { Choice } from '../prompts.ts';
import { parseValue } from '../values.ts';
import { choose, type Desk, tellWrapped, write } from './desk.ts';
import type { Draft, Sale, Transaction, Way } from './draft.ts';
import { isPayment, paymentLine, paymentsOf } from './sale.ts';
import { back, type Step, skip } from './walk.ts';

/** `given` is a receipt that was typed as an argument: it is asked for only after going back. */
export function findSteps(desk: Desk, given: string | undefined): Step<Draft>[] {
  return [askWay(desk, given), askTerm(desk), askPeriod(desk), pickSale(desk), askPayment(desk)];
}

function askWay(desk: Desk, given: string | undefined): Step<Draft> {
  let receipt = given;
  return async () => {
    if (receipt !== undefined) {
      const sale = await readSale(desk, receipt);
      receipt = undefined;
      return { sale };
    }
    const choices = [
      { value: 'receipt', name: 'By its receipt' },
      { value: 'email', name: "By the customer's e-mail" },
      { value: 'lastName', name: "By the customer's last name" },
    ];
    const way = await choose(desk, 'Find the sale', choices, { isFirst: true });
    return way === back ? back : { way: way as Way };
  };
}

const questions: Readonly<Record<Way, string>> = {
  receipt: 'Receipt',
  email: 'E-mail, or its beginning',
  lastName: 'Last name, or its beginning',
};

const params: Readonly<Record<Way, Param>> = {
  receipt: orders.get.params.receipt,
  email: orders.list.params.email,
  lastName: orders.list.params.lastName,
};

function askTerm(desk: Desk): Step<Draft> {
  return async ({ way, ...draft }) => {
    if (!way) return skip;
    for (;;) {
      const term = await write(desk, questions[way], (answer) => {
        const parsed = parseValue(params[way], answer, desk.today);
        return 'problem' in parsed ? parsed.problem : undefined;
      });
      if (term === back) return back;
      if (way !== 'receipt') return { ...draft, way, term };
      const sale = await orTell(desk, () => readSale(desk, term));
      if (sale) return { ...draft, way, term, sale };
    }
  };
}

const periods = [
  { value: 'last-30-days', name: 'The last 30 days' },
  { value: 'last-7-days', name: 'The last 7 days' },
  { value: 'last-3-months', name: 'The last 3 months' },
  { value: 'last-12-months', name: 'The last 12 months' },
];

function askPeriod(desk: Desk): Step<Draft> {
  return async (draft) => {
    if (draft.sale) return skip;
    const period = await choose(desk, 'Paid when', periods);
    return period === back ? back : { ...draft, period };
  };
}

function pickSale(desk: Desk): Step<Draft> {
  return async (draft) => {
    if (draft.sale) return skip;
    const found = await orTell(desk, () => search(desk, draft));
    if (!found) return back;
    const choices = found.map(choiceOf);
    for (;;) {
      const receipt = await choose(desk, 'Which payment', choices);
      if (receipt === back) return back;
      const sale = await orTell(desk, () => readSale(desk, receipt));
      const payment = sale && paymentsOf(sale).find((one) => one.receipt === receipt);
      if (sale && payment) return { ...draft, sale, payment };
    }
  };
}

function choiceOf(payment: Transaction): Choice {
  const receipt = payment.receipt ?? '';
  return { value: receipt, name: paymentLine(payment), short: receipt };
}

/** Of a subscription each payment can be refunded. */
function askPayment(desk: Desk): Step<Draft> {
  return async (draft) => {
    if (!draft.sale || draft.payment) return skip;
    const payments = paymentsOf(draft.sale);
    const [only] = payments;
    if (only && payments.length === 1) return { silently: { ...draft, payment: only } };
    const choices = payments.map(choiceOf);
    const receipt = await choose(desk, 'Which payment of the subscription', choices);
    const payment = payments.find((one) => one.receipt === receipt);
    return payment ? { ...draft, payment } : back;
  };
}

/** What the service refuses is said, and can be asked for again in another way. */
async function orTell<T>(desk: Desk, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const { status, message } = failureFrom(error);
    if (!(error instanceof NothingFound) && !isRefusal(status)) throw error;
    tellWrapped(desk, message);
    return undefined;
  }
}

class NothingFound extends Failure {
  constructor(message: string) {
    super(exitCodes.refused, message, { hint: 'nothing was sent' });
  }
}

function isRefusal(status: number | undefined): boolean {
  return status === 400 || status === 403 || status === 404;
}

/** As many as can be chosen from. */
const longestList = 100;

async function search(desk: Desk, { way, term = '', period = '' }: Draft): Promise<Transaction[]> {
  const days = parsePeriod(period, desk.today);
  const pages = desk.api.pages(orders.list, {
    role: 'VENDOR',
    startDate: days?.first,
    endDate: days?.last,
    [way === 'email' ? 'email' : 'lastName']: `${term.replace(/%+$/, '')}%`,
  });
  const found: Transaction[] = [];
  for await (const { rows } of pages) {
    for (const row of rows) if (isPayment(row)) found.push(row);
    if (found.length > longestList) break;
  }
  if (found.length === 0) throw new NothingFound(`no payment of '${term}' was found then`);
  if (found.length > longestList) {
    desk.messages.say(`These are the first ${longestList}; go back to narrow the search.`);
  }
  return found.slice(0, longestList);
}

async function readSale({ api }: Desk, receipt: string): Promise<Sale> {
  const [transactions, found] = await Promise.all([
    api.call(orders.get, { receipt }),
    readTickets(api, receipt),
  ]);
  const sale = { receipt, transactions, tickets: found };
  if (paymentsOf(sale).length > 0) return sale;
  throw new NothingFound(`nothing was paid to you under ${receipt}`);
}

/** Undefined where the key may not read them. */
async function readTickets(api: Desk['api'], receipt: string): Promise<Sale['tickets']> {
  try {
    const found = [];
    for await (const { rows } of api.pages(tickets.list, { receipt })) found.push(...rows);
    return found;
  } catch (error) {
    if (isRefusal(failureFrom(error).status)) return undefined;
    throw error;
  }
}
