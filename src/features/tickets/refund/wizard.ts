/** `cb tickets refund`: finds the sale, asks with lists, sends one write, and prints the equivalent command. */
import { WorkflowError } from '../../../client/workflow-error.ts';
import { parsePeriod } from '../../../dates/words.ts';
import type { Arguments, Operation } from '../../../operations/operation.ts';
import { orders } from '../../../operations/orders.ts';
import { tickets } from '../../../operations/tickets.ts';
import { plain } from '../../../output/table/terminal-text.ts';
import { planWrite, sentencesOf } from '../../../safe-write/confirmation.ts';
import type { Ticket, Transaction } from '../../../safe-write/reads.ts';
import { isOpen, obstacleTo } from '../../../safe-write/refundable.ts';
import { dayOf } from '../../../safe-write/sentence.ts';
import type { CommandContext } from '../../../shell/context.ts';
import { exitCodes, Failure, failureFrom, usage } from '../../../shell/failure.ts';
import { ledgerOf } from '../../../shell/lock.ts';
import type { WriteFlags } from '../../../shell/options/flags.ts';
import { type OutputOptions, wireFor } from '../../../shell/options/show-flags.ts';
import { problemWith, receiptFrom } from '../../../shell/options/values.ts';
import { verificationFor } from '../../../shell/options/write-options.ts';
import { type Session, serviceName, todayOf, withApi } from '../../../shell/session/session.ts';
import { recorderFor } from '../../../shell/session/write-recorder.ts';
import { commandLine } from '../../../shell/shell-word.ts';
import { backAnswer, type Prompts } from '../../../shell/terminal/prompts.ts';
import { dryRun, requestText, writeOne } from '../../mirror/endpoint-write.ts';
import { wrapped } from '../queue/screen.ts';
import {
  askItem,
  askPayment,
  type Back,
  back,
  type Dialog,
  type Draft,
  isInterruption,
  isRefund,
  itemKey,
  type Refusals,
  refundSteps,
  runSteps,
  type Step,
  subjectOf,
  ticketFrom,
} from './dialog.ts';
import {
  cancelEffect,
  cardOf,
  isPayment,
  notFound,
  paymentLine,
  paymentsOf,
  possibleTickets,
  readSale,
  refundEffect,
  ticketLine,
} from './refund.ts';

type RefundFlags = Pick<WriteFlags, 'dryRun' | 'allowDuplicate' | 'verifyWait'>;

/** Asks with lists, in which Back and Cancel are always offered. Cancel throws a Failure. */
interface Wizard extends Dialog {
  readonly cmd: CommandContext;
  readonly output: OutputOptions;
  readonly flags: RefundFlags;
  readonly prompts: Prompts;
  readonly session: Session;
  /** Shows a text wrapped to the terminal; continuation lines are indented by the width of `lead`. */
  say(text: string, lead?: string): void;
}

export async function refund(
  cmd: CommandContext,
  output: OutputOptions,
  receipt: string | undefined,
  flags: RefundFlags,
): Promise<void> {
  if (!cmd.mayAsk) {
    throw usage('The refund wizard requires a terminal.', {
      hint: 'In scripts, use cb tickets create, which has an option for each question.',
      next: 'cb tickets create --help',
    });
  }
  const today = await todayOf(cmd);
  const problem = receipt && problemWith(tickets.create.params.receipt, receipt, today);
  if (problem) throw usage(`<receipt> ${problem}`);
  const prompts = await cmd.context.prompts();
  await withApi(cmd, wireFor(output), async (client, session) => {
    const facts = { cmd, output, flags, prompts, session, client, today };
    const wizard: Wizard = { ...facts, ...questionsOn(cmd, prompts) };
    await refundOne(wizard, receipt);
    while (await hasAnother(wizard)) await refundAnother(wizard);
  });
}

const cancelKey = '!';

/** The two choices that every question offers. */
const navigation = [
  { value: backAnswer, name: 'Back (Esc)' },
  { value: cancelKey, name: 'Cancel (Ctrl-C): nothing is sent' },
];

function questionsOn(
  cmd: CommandContext,
  prompts: Prompts,
): Pick<Wizard, 'say' | 'choose' | 'type' | 'lastReason'> {
  const { messages, context } = cmd;
  const answerOf = (answer: string): string | Back => {
    if (answer === cancelKey) throw new Failure(exitCodes.declined, 'Canceled. Nothing was sent.');
    return answer === backAnswer ? back : answer;
  };
  return {
    say(text, lead = '') {
      const lines = wrapped({ cmd }, text, { lead });
      messages.say(lines.map((line) => line.text).join('\n'));
    },
    async choose(question, choices, { selected, isFirst } = {}) {
      const shown = choices.map(({ value, name, short }) => ({
        ...{ value, name: plain(name) },
        ...(short !== undefined && { short: plain(short) }),
      }));
      const all = [...shown, ...navigation.slice(isFirst ? 1 : 0)];
      const initial = selected === back ? backAnswer : selected;
      const answer = answerOf(await prompts.select(plain(question), all, initial));
      if (answer === back) return back;
      const chosen = choices.find(({ value }) => value === answer);
      if (!chosen) throw new Error(`'${answer}' is not one of the choices.`);
      return chosen.value;
    },
    async type(question, check, initial) {
      const navigates = (answer: string) => navigation.some(({ value }) => value === answer);
      const answer = await prompts.input(
        `${plain(question)} (Esc: back, Ctrl-C: cancel):`,
        (given) => (navigates(given.trim()) ? undefined : check(given.trim())),
        initial,
        { hasBack: true },
      );
      return answerOf(answer.trim());
    },
    /** None if the ledger can't be read, which sending will report. */
    async lastReason(type) {
      const known = await ledgerOf(context)
        .read()
        .catch(() => undefined);
      const last = [...(known?.entries.values() ?? [])].findLast(
        ({ operation, origin, args }) =>
          operation === tickets.create.command && origin !== 'agent' && args?.type === type,
      );
      return last?.args?.reason?.toString();
    },
  };
}

async function refundOne(wizard: Wizard, receipt: string | undefined): Promise<void> {
  const { cmd, output, flags, session, client } = wizard;
  const refusals: Refusals = new Map();
  const draft = await runSteps([
    ...findSteps(wizard, receipt),
    askPayment(wizard),
    showCard(wizard),
    askItem(wizard),
    askAction(wizard, refusals),
    ...refundSteps(wizard, refusals),
    askComment(wizard),
    ...(flags.dryRun ? [] : [review(wizard)]),
  ]);
  if (draft === back) return refundOne(wizard, undefined);
  const { operation, args } = writeOf(draft);
  if (flags.dryRun) {
    await dryRun({ cmd, operation, each: [args], output, flags }, { open: client });
  } else {
    const { verifyWait, allowDuplicate } = flags;
    const record = recorderFor(cmd, session);
    const options = { ...verificationFor(cmd, verifyWait), allowDuplicate, record };
    const writing = { cmd, operation, output, flags };
    const reply = await writeOne(writing, client, args, options, draft.plan);
    const id = (reply as { ticketid?: string } | undefined)?.ticketid;
    if (id !== undefined && subjectOf(draft).item.shippable && isRefund(draft)) {
      cmd.messages.say(`When the item is returned, complete the refund: cb tickets returned ${id}`);
    }
  }
  cmd.messages.say('To do the same without prompts, run:');
  cmd.messages.show(
    commandLine(cmd, operation, args, [
      ...(flags.allowDuplicate ? ['--allow-duplicate'] : []),
      ...(draft.type === 'cncl' && isRefund(draft) ? ['--allow-refund'] : []),
      '--yes',
    ]),
  );
}

function writeOf(draft: Draft): { readonly operation: Operation; readonly args: Arguments } {
  const { commentOn, comment } = draft;
  if (commentOn === undefined) return ticketFrom(draft);
  return { operation: tickets.comment, args: { id: commentOn, comment } };
}

/** Ctrl-C leaves, too: everything is done. */
async function hasAnother({ prompts, cmd }: Wizard): Promise<boolean> {
  cmd.messages.say('');
  try {
    return await prompts.confirm('Another customer?');
  } catch (error) {
    if (isInterruption(error)) return false;
    throw error;
  }
}

/** The messages for the first customer would say that nothing was sent. */
async function refundAnother(wizard: Wizard): Promise<void> {
  try {
    await refundOne(wizard, undefined);
  } catch (error) {
    if (isInterruption(error)) {
      throw new Failure(exitCodes.interrupted, 'Interrupted. Nothing more was sent.');
    }
    if (error instanceof Failure && error.code === exitCodes.declined) {
      throw new Failure(exitCodes.declined, 'Canceled. Nothing more was sent.');
    }
    throw error;
  }
}

const searches = {
  receipt: { name: 'By receipt', question: 'Receipt', param: orders.get.params.receipt },
  email: {
    name: "By the customer's email address",
    question: 'Email address, or the start of it',
    param: orders.list.params.email,
  },
  lastName: {
    name: "By the customer's last name",
    question: 'Last name, or the start of it',
    param: orders.list.params.lastName,
  },
};

const periods = [
  { value: 'last-30-days', name: 'The last 30 days' },
  { value: 'last-7-days', name: 'The last 7 days' },
  { value: 'last-3-months', name: 'The last 3 months' },
  { value: 'last-12-months', name: 'The last 12 months' },
];

/** `given` is the receipt from the command line: the search is offered only after going back. */
function findSteps(wizard: Wizard, given: string | undefined): Step[] {
  const { client, today } = wizard;
  let receipt = given;
  return [
    async () => {
      if (receipt !== undefined) {
        const sale = await readSale(client, receipt);
        receipt = undefined;
        return { sale };
      }
      const choices = (['receipt', 'email', 'lastName'] as const).map((value) => ({
        ...{ value, name: searches[value].name },
      }));
      const question = 'How do you want to find the sale?';
      const searchBy = await wizard.choose(question, choices, { isFirst: true });
      return searchBy === back ? back : { searchBy };
    },
    async ({ searchBy, ...draft }) => {
      if (!searchBy) return undefined;
      const { question, param } = searches[searchBy];
      for (;;) {
        const term = await wizard.type(question, (answer) => problemWith(param, answer, today));
        if (term === back) return back;
        if (searchBy !== 'receipt') return { ...draft, searchBy, term };
        const sale = await orShowError(wizard, () => readSale(client, receiptFrom(term)));
        if (sale) return { ...draft, searchBy, term, sale };
      }
    },
    async (draft) => {
      if (draft.sale) return undefined;
      const period = await wizard.choose('When was it paid?', periods);
      return period === back ? back : { ...draft, period };
    },
    async (draft) => {
      if (draft.sale) return undefined;
      const found = await orShowError(wizard, () => search(wizard, draft));
      if (!found) return back;
      const choices = found.map((payment) => {
        const short = payment.receipt ?? '';
        return { value: short, name: paymentLine(payment), short };
      });
      for (;;) {
        const receipt = await wizard.choose('Which payment?', choices);
        if (receipt === back) return back;
        const sale = await orShowError(wizard, () => readSale(client, receipt));
        const payment = sale && paymentsOf(sale).find((one) => one.receipt === receipt);
        if (sale && payment) return { ...draft, sale, payment };
      }
    },
  ];
}

/** Shows the error if something is not found or refused, so that the person can try something else. */
async function orShowError<T>(wizard: Wizard, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const isNotFound = error instanceof WorkflowError && error.kind === 'not-found';
    const { status = 0, message } = failureFrom(error);
    if (!isNotFound && ![400, 403, 404].includes(status)) throw error;
    wizard.say(message);
    return undefined;
  }
}

const longestList = 100;

/** The first payments to this vendor that match. Throws a WorkflowError of kind `not-found` if there are none. */
async function search(
  { client, cmd, today }: Wizard,
  { searchBy, term = '', period = '' }: Draft,
): Promise<readonly Transaction[]> {
  const days = parsePeriod(period, today);
  const pages = client.pages(orders.list, {
    ...{ role: 'VENDOR', startDate: days?.first, endDate: days?.last },
    [searchBy === 'email' ? 'email' : 'lastName']: `${term.replace(/%+$/, '')}%`,
  });
  const found: Transaction[] = [];
  for await (const { rows } of pages) {
    found.push(...rows.filter(isPayment));
    if (found.length <= longestList) continue;
    const first = `Only the first ${longestList} payments are shown.`;
    cmd.messages.say(`${first} Go back to narrow the search.`);
    break;
  }
  if (found.length === 0) throw notFound(`No payment by '${term}' was found in that period.`);
  return found.slice(0, longestList);
}

function showCard(wizard: Wizard): Step {
  return async ({ sale, payment }) => {
    if (!sale || !payment) return undefined;
    const card = cardOf(sale, payment);
    const widest = Math.max(...card.map(([label]) => label.length));
    wizard.cmd.messages.say('');
    for (const [label, text] of card) wizard.say(text, `  ${label.padEnd(widest)}  `);
    return undefined;
  };
}

/** Offers only actions that can succeed, and says why a refund can't. */
function askAction(wizard: Wizard, refusals: Refusals): Step {
  return async (draft) => {
    const subject = subjectOf(draft);
    const { sale, payment, item } = subject;
    const obstacle = refusals.get(itemKey(draft)) ?? obstacleTo(sale, payment, [item])?.clause;
    const isRefundable = obstacle === undefined;
    wizard.cmd.messages.say('');
    wizard.say(
      isRefundable ? refundEffect(subject) : `${payment.receipt} can't be refunded: ${obstacle}.`,
    );
    // For a one-time sale, a cancellation is a refund.
    if (isRefundable || item.recurring) wizard.say(cancelEffect(subject));
    const names = {
      rfnd: 'Refund',
      cncl: item.recurring
        ? 'Cancel the subscription: no further payments, no refund'
        : 'Cancel the order, which also refunds it',
    };
    const open = (sale.tickets ?? []).filter(isOpen);
    const choices = [
      ...possibleTickets(subject, isRefundable).map((value) => ({ value, name: names[value] })),
      ...open.flatMap(({ ticketid: id }) => [
        { value: `show ${id}`, name: `Show ticket ${id}`, short: `show ticket ${id}` },
        {
          value: `comment ${id}`,
          name: `Add a comment to ticket ${id}`,
          short: `comment on ${id}`,
        },
      ]),
    ];
    if (choices.length === 0) wizard.say('There are no other actions for this payment.');
    for (;;) {
      const chosen = await wizard.choose('What do you want to do?', choices);
      if (chosen === back) return back;
      if (chosen === 'rfnd' || chosen === 'cncl') return { ...draft, type: chosen };
      const [verb, id] = chosen.split(' ');
      if (verb === 'comment') return { ...draft, commentOn: id ?? '' };
      const ticket = open.find(({ ticketid }) => String(ticketid) === id);
      if (ticket) showTicket(wizard, ticket);
    }
  };
}

function showTicket(wizard: Wizard, ticket: Ticket): void {
  wizard.cmd.messages.say('');
  wizard.say(`Ticket ${ticketLine(ticket)}`);
  for (const { date, commentRole, action, comment } of ticket.comments ?? []) {
    const words = [dayOf(date), commentRole, action].filter(Boolean).join(' ');
    wizard.say(`${words}${comment ? `: ${comment}` : ''}`, '  ');
  }
}

/** The maximum length of a comment, URL-encoded: ClickBank accepts requests of up to 2,000 characters. */
const longestComment = 1500;

function askComment(wizard: Wizard): Step {
  // Going back to this question shows the text again, to be edited.
  let typed = '';
  return async (draft) => {
    const { commentOn } = draft;
    const isNew = commentOn === undefined;
    const question = isNew
      ? 'Comment on the ticket, optional'
      : `Comment to add to ticket ${commentOn}`;
    const problemOf = (answer: string) => {
      if (answer === '' && isNew) return undefined;
      const isLong = encodeURIComponent(answer).length > longestComment;
      const problem = problemWith(tickets.create.params.comment, answer, wizard.today);
      return problem ?? (isLong ? 'The comment is too long.' : undefined);
    };
    const comment = await wizard.type(question, problemOf, typed);
    if (comment === back) return back;
    typed = comment;
    return { ...draft, ...(comment !== '' && { comment }) };
  };
}

function review(wizard: Wizard): Step {
  return async (draft) => {
    const { operation, args } = writeOf(draft);
    const plan = await planWrite(wizard.client, operation, args);
    wizard.cmd.messages.say('');
    wizard.say(sentencesOf(plan, '.'));
    wizard.cmd.messages.say(`This request will be sent to ${serviceName(wizard.session)}:`);
    for (const line of requestText(plan.request).split('\n')) wizard.say(line, '  ');
    const yes = { value: 'send', name: 'Send it', short: 'yes' };
    // Enter alone never gives money away.
    const answer = await wizard.choose('Send this request?', [yes], { selected: cancelKey });
    return answer === back ? back : { ...draft, plan };
  };
}
