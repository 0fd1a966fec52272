/** The first steps: finding the sale. */

import { parsePeriod } from '../../dates/words.ts';
import type { Param } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { tickets } from '../../operations/tickets.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure, failureFrom } from '../failure.ts';
import type { Choice } from '../prompts.ts';
import { problemWith } from '../values.ts';
import type { Draft, Sale, SearchBy, Transaction } from './draft.ts';
import { isPayment, paymentLine, paymentsOf, rebillLines } from './sale.ts';
import { back, type Step, skip } from './steps.ts';
import { askChoice, askText, tellWrapped, type WizardContext } from './wizard-context.ts';

/** `given` is a receipt that was typed as an argument: the search is offered only after going back. */
export function findSteps(context: WizardContext, given: string | undefined): Step<Draft>[] {
  return [
    askSearchBy(context, given),
    askTerm(context),
    askPeriod(context),
    pickSale(context),
    askPayment(context),
  ];
}

function askSearchBy(context: WizardContext, given: string | undefined): Step<Draft> {
  let receipt = given;
  return async () => {
    if (receipt !== undefined) {
      const sale = await readSale(context, receipt);
      receipt = undefined;
      return { sale };
    }
    const choices = [
      { value: 'receipt', name: 'By receipt' },
      { value: 'email', name: "By the customer's email address" },
      { value: 'lastName', name: "By the customer's last name" },
    ];
    const searchBy = await askChoice(context, 'How do you want to find the sale?', choices, {
      isFirst: true,
    });
    return searchBy === back ? back : { searchBy: searchBy as SearchBy };
  };
}

const questions: Readonly<Record<SearchBy, string>> = {
  receipt: 'Receipt',
  email: 'Email address, or its beginning',
  lastName: 'Last name, or its beginning',
};

const params: Readonly<Record<SearchBy, Param>> = {
  receipt: orders.get.params.receipt,
  email: orders.list.params.email,
  lastName: orders.list.params.lastName,
};

function askTerm(context: WizardContext): Step<Draft> {
  return async ({ searchBy, ...draft }) => {
    if (!searchBy) return skip;
    for (;;) {
      const term = await askText(context, questions[searchBy], (answer) =>
        problemWith(params[searchBy], answer, context.today),
      );
      if (term === back) return back;
      if (searchBy !== 'receipt') return { ...draft, searchBy, term };
      const sale = await orTell(context, () => readSale(context, term));
      if (sale) return { ...draft, searchBy, term, sale };
    }
  };
}

const periods = [
  { value: 'last-30-days', name: 'The last 30 days' },
  { value: 'last-7-days', name: 'The last 7 days' },
  { value: 'last-3-months', name: 'The last 3 months' },
  { value: 'last-12-months', name: 'The last 12 months' },
];

function askPeriod(context: WizardContext): Step<Draft> {
  return async (draft) => {
    if (draft.sale) return skip;
    const period = await askChoice(context, 'When was it paid?', periods);
    return period === back ? back : { ...draft, period };
  };
}

function pickSale(context: WizardContext): Step<Draft> {
  return async (draft) => {
    if (draft.sale) return skip;
    const found = await orTell(context, () => search(context, draft));
    if (!found) return back;
    const choices = found.map((payment) => choiceOf(payment, paymentLine(payment)));
    for (;;) {
      const receipt = await askChoice(context, 'Which payment?', choices);
      if (receipt === back) return back;
      const sale = await orTell(context, () => readSale(context, receipt));
      const payment = sale && paymentsOf(sale).find((one) => one.receipt === receipt);
      if (sale && payment) return { ...draft, sale, payment };
    }
  };
}

function choiceOf(payment: Transaction, name: string): Choice {
  const receipt = payment.receipt ?? '';
  return { value: receipt, name, short: receipt };
}

/** Each payment of a subscription is refunded on its own: newest first, with whether it can be. */
function askPayment(context: WizardContext): Step<Draft> {
  return async (draft) => {
    const { sale } = draft;
    if (!sale || draft.payment) return skip;
    const payments = paymentsOf(sale);
    const [only] = payments;
    if (only && payments.length === 1) return { silently: { ...draft, payment: only } };
    const lines = rebillLines(sale, payments);
    const choices = payments.map((payment, i) => choiceOf(payment, lines[i] ?? ''));
    const receipt = await askChoice(context, 'Which payment of the subscription?', choices);
    const payment = payments.find((one) => one.receipt === receipt);
    return payment ? { ...draft, payment } : back;
  };
}

/** Tells what the service refuses, so that the person can try something else. */
async function orTell<T>(context: WizardContext, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const { status, message } = failureFrom(error);
    if (!(error instanceof NothingFound) && !isRefusal(status)) throw error;
    tellWrapped(context, message);
    return undefined;
  }
}

class NothingFound extends Failure {
  constructor(message: string) {
    super(exitCodes.refused, message, { hint: 'Nothing was sent.' });
  }
}

function isRefusal(status: number | undefined): boolean {
  return status === 400 || status === 403 || status === 404;
}

/** The maximum number of payments to choose from. */
const longestList = 100;

async function search(
  context: WizardContext,
  { searchBy, term = '', period = '' }: Draft,
): Promise<Transaction[]> {
  const days = parsePeriod(period, context.today);
  const pages = context.api.pages(orders.list, {
    role: 'VENDOR',
    startDate: days?.first,
    endDate: days?.last,
    [searchBy === 'email' ? 'email' : 'lastName']: `${term.replace(/%+$/, '')}%`,
  });
  const found: Transaction[] = [];
  for await (const { rows } of pages) {
    for (const row of rows) if (isPayment(row)) found.push(row);
    if (found.length > longestList) break;
  }
  if (found.length === 0)
    throw new NothingFound(`No payment of '${term}' was found in that period.`);
  if (found.length > longestList) {
    context.messages.say(
      `Only the first ${longestList} payments are shown. Go back to narrow the search.`,
    );
  }
  return found.slice(0, longestList);
}

async function readSale({ api }: WizardContext, receipt: string): Promise<Sale> {
  const [transactions, found] = await Promise.all([
    api.call(orders.get, { receipt }),
    readTickets(api, receipt),
  ]);
  const sale = { receipt, transactions, tickets: found };
  if (paymentsOf(sale).length > 0) return sale;
  throw new NothingFound(`No payment to you was found for ${receipt}.`);
}

/** Undefined where the key may not read them. */
async function readTickets(api: WizardContext['api'], receipt: string): Promise<Sale['tickets']> {
  try {
    const found = [];
    for await (const { rows } of api.pages(tickets.list, { receipt })) found.push(...rows);
    return found;
  } catch (error) {
    if (isRefusal(failureFrom(error).status)) return undefined;
    throw error;
  }
}
