/** The first steps, which find the sale. */
import { parsePeriod } from '../../dates/periods.ts';
import type { Param } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { WorkflowError } from '../../workflows/errors.ts';
import { paymentsOf, readSale, searchPayments } from '../../workflows/refund/sale.ts';
import type { Transaction } from '../../workflows/safe-write/reads.ts';
import { problemWith, receiptFrom } from '../flags/values.ts';
import type { Choice } from '../prompts/prompts.ts';
import { failureFrom } from '../runtime/failure.ts';
import { paymentLine, rebillLines } from './sale.ts';
import { back, type Draft, type SearchBy, type Step, skip } from './steps.ts';
import { askChoice, askText, sayWrapped, type WizardContext } from './wizard-context.ts';

/** `given` is the receipt from the command line: the search is offered only after going back. */
export function findSteps(context: WizardContext, given: string | undefined): Step[] {
  return [
    askSearchBy(context, given),
    askTerm(context),
    askPeriod(context),
    pickSale(context),
    askPayment(context),
  ];
}

function askSearchBy(context: WizardContext, given: string | undefined): Step {
  let receipt = given;
  return async () => {
    if (receipt !== undefined) {
      const sale = await readSale(context.client, receipt);
      receipt = undefined;
      return { sale };
    }
    const choices: { readonly value: SearchBy; readonly name: string }[] = [
      { value: 'receipt', name: 'By receipt' },
      { value: 'email', name: "By the customer's email address" },
      { value: 'lastName', name: "By the customer's last name" },
    ];
    const searchBy = await askChoice(context, 'How do you want to find the sale?', choices, {
      isFirst: true,
    });
    return searchBy === back ? back : { searchBy };
  };
}

const questions: Readonly<Record<SearchBy, string>> = {
  receipt: 'Receipt',
  email: 'Email address, or the start of it',
  lastName: 'Last name, or the start of it',
};

const params: Readonly<Record<SearchBy, Param>> = {
  receipt: orders.get.params.receipt,
  email: orders.list.params.email,
  lastName: orders.list.params.lastName,
};

function askTerm(context: WizardContext): Step {
  return async ({ searchBy, ...draft }) => {
    if (!searchBy) return skip;
    for (;;) {
      const term = await askText(context, questions[searchBy], (answer) =>
        problemWith(params[searchBy], answer, context.today),
      );
      if (term === back) return back;
      if (searchBy !== 'receipt') return { ...draft, searchBy, term };
      const sale = await orShowError(context, () => readSale(context.client, receiptFrom(term)));
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

function askPeriod(context: WizardContext): Step {
  return async (draft) => {
    if (draft.sale) return skip;
    const period = await askChoice(context, 'When was it paid?', periods);
    return period === back ? back : { ...draft, period };
  };
}

function pickSale(context: WizardContext): Step {
  return async (draft) => {
    if (draft.sale) return skip;
    const found = await orShowError(context, () => search(context, draft));
    if (!found) return back;
    const choices = found.map((payment) => choiceOf(payment, paymentLine(payment)));
    for (;;) {
      const receipt = await askChoice(context, 'Which payment?', choices);
      if (receipt === back) return back;
      const sale = await orShowError(context, () => readSale(context.client, receipt));
      const payment = sale && paymentsOf(sale).find((one) => one.receipt === receipt);
      if (sale && payment) return { ...draft, sale, payment };
    }
  };
}

function choiceOf(payment: Transaction, name: string): Choice {
  const receipt = payment.receipt ?? '';
  return { value: receipt, name, short: receipt };
}

/**
 * Asks for a payment of the subscription, because each is refunded separately. Newest first, each with whether it
 * can be refunded.
 */
function askPayment(context: WizardContext): Step {
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

/** Shows the error if something is not found or refused, so that the person can try something else. */
async function orShowError<T>(
  context: WizardContext,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const isNotFound = error instanceof WorkflowError && error.kind === 'not-found';
    const { status = 0, message } = failureFrom(error);
    if (!isNotFound && ![400, 403, 404].includes(status)) throw error;
    sayWrapped(context, message);
    return undefined;
  }
}

const longestList = 100;

async function search(
  context: WizardContext,
  { searchBy, term = '', period = '' }: Draft,
): Promise<readonly Transaction[]> {
  const by = searchBy === 'email' ? 'email' : 'lastName';
  const query = { by, text: term, days: parsePeriod(period, context.today) } as const;
  const { payments, hasMore } = await searchPayments(context.client, query, longestList);
  if (hasMore) {
    context.messages.say(
      `Only the first ${longestList} payments are shown. Go back to narrow the search.`,
    );
  }
  return payments;
}
