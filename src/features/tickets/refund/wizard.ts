/**
 * `cb tickets refund`: finds the sale, asks all questions with lists, sends one write, and prints the equivalent
 * command.
 */
import { WorkflowError } from '../../../client/workflow-error.ts';
import { addDays } from '../../../dates/day.ts';
import { tickets } from '../../../operations/tickets.ts';
import { blanks, displayWidth, wrap } from '../../../output/table/display-width.ts';
import { plain } from '../../../output/table/terminal-text.ts';
import { planWrite, statementOf } from '../../../safe-write/confirmation.ts';
import type { Transaction } from '../../../safe-write/reads.ts';
import { obstacleTo } from '../../../safe-write/refundable.ts';
import type { CommandContext } from '../../../shell/command-context.ts';
import { exitCodes } from '../../../shell/exit-codes.ts';
import { Failure, failureFrom, usage } from '../../../shell/failure.ts';
import { isArgument, kebab, type WriteFlags } from '../../../shell/options/flags.ts';
import { type OutputOptions, wireFor } from '../../../shell/options/show-flags.ts';
import { problemWith, receiptFrom } from '../../../shell/options/values.ts';
import { writeOptions } from '../../../shell/options/write-options.ts';
import { todayOf } from '../../../shell/session/service-clock.ts';
import { type Session, serviceName, withApi } from '../../../shell/session/session.ts';
import { recorderFor } from '../../../shell/session/write-recorder.ts';
import { shellWord } from '../../../shell/shell-word.ts';
import type { Prompts } from '../../../shell/terminal/prompts.ts';
import { findOrders, readQuery } from '../../find/find.ts';
import { dryRun, requestText } from '../../mirror/dry-run.ts';
import { writeOne } from '../../mirror/endpoint-write.ts';
import {
  askItem,
  askPayment,
  type Back,
  back,
  type Dialog,
  type Draft,
  isRefund,
  refundSteps,
  runSteps,
  type Step,
  skip,
  subjectOf,
  ticketFrom,
} from './dialog.ts';
import {
  cancelEffect,
  notFound,
  paymentsOf,
  possibleTickets,
  readSale,
  refundEffect,
} from './refund.ts';
import { cardOf, paymentLine } from './shown-sale.ts';

/** Asks with lists, in which Back and Cancel are always offered. Cancel throws a Failure. */
interface Wizard extends Dialog {
  readonly cmd: CommandContext;
  readonly output: OutputOptions;
  readonly flags: WriteFlags;
  readonly prompts: Prompts;
  readonly session: Session;
  /** Shows a text wrapped to the terminal; continuation lines are indented by the width of `lead`. */
  say(text: string, lead?: string): void;
}

export async function refund(
  cmd: CommandContext,
  output: OutputOptions,
  receipt: string | undefined,
  flags: WriteFlags,
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
    await refundOne({ ...facts, ...questionsOn(cmd, prompts) }, receipt);
  });
}

/** The values of the two choices that every question offers. */
const backKey = '<';
const cancelKey = '!';

const navigation = [
  { value: backKey, name: 'Back' },
  { value: cancelKey, name: 'Cancel (nothing is sent)' },
];

function questionsOn(
  { messages, context }: CommandContext,
  prompts: Prompts,
): Pick<Wizard, 'say' | 'refuse' | 'choose' | 'type'> {
  const width = Math.max(20, context.stderr.columns ?? 80);
  const answerOf = (answer: string): string | Back => {
    if (answer === cancelKey) throw new Failure(exitCodes.declined, 'Canceled. Nothing was sent.');
    return answer === backKey ? back : answer;
  };
  const say = (text: string, lead = '') => {
    const indent = blanks('', displayWidth(lead));
    const lines = wrap(plain(text), Math.max(1, width - indent.length - 1));
    messages.say(lines.map((line, i) => (i === 0 ? lead : indent) + line).join('\n'));
  };
  return {
    say,
    refuse: (sentence) => say(sentence),
    async choose(question, choices, { selected } = {}) {
      const shown = choices.map(({ value, name, short }) => ({
        ...{ value, name: plain(name) },
        ...(short !== undefined && { short: plain(short) }),
      }));
      const all = [...shown, ...navigation];
      const initial = selected === back ? backKey : selected;
      const answer = answerOf(await prompts.select(plain(question), all, initial));
      if (answer === back) return back;
      const chosen = choices.find(({ value }) => value === answer);
      if (!chosen) throw new Error(`'${answer}' is not one of the choices.`);
      return chosen.value;
    },
    async type(question, check, initial) {
      const navigates = (answer: string) => navigation.some(({ value }) => value === answer);
      const answer = await prompts.input(
        `${plain(question)} (${backKey} back, ${cancelKey} cancel):`,
        (given) => (navigates(given.trim()) ? undefined : check(given.trim())),
        initial,
      );
      return answerOf(answer.trim());
    },
  };
}

async function refundOne(wizard: Wizard, receipt: string | undefined): Promise<void> {
  const { cmd, output, flags, session, client } = wizard;
  const steps = [
    findSale(wizard),
    askPayment(wizard),
    showCard(wizard),
    askItem(wizard),
    askAction(wizard),
    ...refundSteps(wizard),
    askComment(wizard),
    ...(flags.dryRun ? [] : [review(wizard)]),
  ];
  const start = receipt === undefined ? {} : { sale: await readSale(client, receipt) };
  const draft = await runSteps(steps, start);
  if (draft === back) return refundOne(wizard, undefined);
  const { operation, args } = ticketFrom(draft);
  if (flags.dryRun) {
    await dryRun({ cmd, operation, each: [args], output, flags }, client);
  } else {
    const options = { ...writeOptions(cmd, flags), record: recorderFor(cmd, session) };
    const reply = await writeOne({ cmd, operation, output }, client, args, options);
    const id = (reply as { ticketid?: string } | undefined)?.ticketid;
    if (id !== undefined && subjectOf(draft).item.shippable && isRefund(draft)) {
      cmd.messages.say(`When the item is returned, complete the refund: cb tickets returned ${id}`);
    }
  }
  cmd.messages.say('To do the same without prompts, run:');
  cmd.messages.show(commandLine(wizard, draft));
}

/** Returns the command that sends the same request to the same service without prompts. */
function commandLine({ cmd, flags }: Wizard, draft: Draft): string {
  const { sandbox, profile } = cmd.flags;
  const { operation, args } = ticketFrom(draft);
  const words = Object.entries(args).map(([name, value]) => {
    const typed = shellWord(String(value));
    if (isArgument(operation, name)) return typed;
    if (typeof value === 'boolean') return value ? `--${kebab(name)}` : `--no-${kebab(name)}`;
    return `--${kebab(name)} ${typed}`;
  });
  const more = [
    ...(sandbox ? ['--sandbox'] : []),
    ...(profile !== undefined ? [`--profile ${shellWord(profile)}`] : []),
    ...(flags.allowDuplicate ? ['--allow-duplicate'] : []),
    ...(draft.type === 'cncl' && isRefund(draft) ? ['--allow-refund'] : []),
    '--yes',
  ];
  return ['cb', operation.command, ...words, ...more].join(' ');
}

/** Asks for the sale, unless its receipt was given; and for the payment of a person who is found by name. */
function findSale(wizard: Wizard): Step {
  const { client, today } = wizard;
  const question = 'Receipt, email address or name (% stands for any text)';
  const days = { first: addDays(today, -364), last: today };
  return async (draft) => {
    if (draft.sale) return skip;
    for (;;) {
      const typed = await wizard.type(question, () => undefined);
      if (typed === back) return back;
      const found = await orShowError(wizard, async () => {
        const query = readQuery([typed]);
        if (query.filters.length === 0) return { sale: await readSale(client, receiptFrom(typed)) };
        const transactions = await findOrders(client, { query, days });
        const payments = paymentsOf({ receipt: '', transactions });
        if (payments.length > 0) return { payments };
        throw notFound(`No payment by '${typed}' was found in the last 12 months.`);
      });
      if (found?.sale) return { ...draft, sale: found.sale };
      if (found?.payments) {
        const chosen = await choosePayment(wizard, found.payments);
        if (chosen !== back) return { ...draft, ...chosen };
      }
    }
  };
}

const longestList = 100;

async function choosePayment(wizard: Wizard, payments: readonly Transaction[]) {
  if (payments.length > longestList) {
    wizard.say(`Only the newest ${longestList} payments are shown. Go back to narrow the search.`);
  }
  const choices = payments.slice(0, longestList).map((payment) => {
    const short = payment.receipt ?? '';
    return { value: short, name: paymentLine(payment), short };
  });
  for (;;) {
    const receipt = await wizard.choose('Which payment?', choices);
    if (receipt === back) return back;
    const sale = await orShowError(wizard, () => readSale(wizard.client, receipt));
    const payment = sale && paymentsOf(sale).find((one) => one.receipt === receipt);
    if (sale && payment) return { sale, payment };
  }
}

/** Shows the error if something is not found or refused, so that the person can try something else. */
async function orShowError<T>(wizard: Wizard, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const { status = 0, message } = failureFrom(error);
    if (!(error instanceof WorkflowError) && ![400, 403, 404].includes(status)) throw error;
    wizard.say(message);
    return undefined;
  }
}

function showCard(wizard: Wizard): Step {
  return async ({ sale, payment }) => {
    if (!sale || !payment) return skip;
    const card = cardOf(sale, payment);
    const widest = Math.max(...card.map(([label]) => label.length));
    wizard.cmd.messages.say('');
    for (const [label, text] of card) wizard.say(text, `  ${label.padEnd(widest)}  `);
    return skip;
  };
}

/** Offers only actions that can succeed, and says why a refund can't. */
function askAction(wizard: Wizard): Step {
  return async (draft) => {
    const subject = subjectOf(draft);
    const { sale, payment, item } = subject;
    const obstacle = obstacleTo(sale, payment, [item])?.clause;
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
    const choices = possibleTickets(subject, isRefundable).map((value) => ({
      ...{ value, name: names[value] },
    }));
    if (choices.length === 0) wizard.say('There are no other actions for this payment.');
    const chosen = await wizard.choose('What do you want to do?', choices);
    return chosen === back ? back : { ...draft, type: chosen };
  };
}

/** The maximum length of a comment, URL-encoded: ClickBank accepts requests of up to 2,000 characters. */
const longestComment = 1500;

function askComment(wizard: Wizard): Step {
  // Going back to this question shows the text again, to be edited.
  let typed = '';
  return async (draft) => {
    const problemOf = (answer: string) => {
      if (answer === '') return undefined;
      const isLong = encodeURIComponent(answer).length > longestComment;
      const problem = problemWith(tickets.create.params.comment, answer, wizard.today);
      return problem ?? (isLong ? 'The comment is too long.' : undefined);
    };
    const comment = await wizard.type('Comment on the ticket, optional', problemOf, typed);
    if (comment === back) return back;
    typed = comment;
    return { ...draft, ...(comment !== '' && { comment }) };
  };
}

function review(wizard: Wizard): Step {
  return async (draft) => {
    const { operation, args } = ticketFrom(draft);
    const plan = await planWrite(wizard.client, operation, args);
    wizard.cmd.messages.say('');
    wizard.say(statementOf(plan));
    wizard.cmd.messages.say(`This request will be sent to ${serviceName(wizard.session)}:`);
    for (const line of requestText(plan.request).split('\n')) wizard.say(line, '  ');
    const yes = { value: 'send', name: 'Send it', short: 'yes' };
    // Enter alone never gives money away.
    const answer = await wizard.choose('Send this request?', [yes], { selected: cancelKey });
    return answer === back ? back : draft;
  };
}
