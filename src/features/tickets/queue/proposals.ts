/** What a person decides before an action is confirmed: refund, reply, or comment. Undefined if the person gave up. */
import { liveBaseUrl } from '../../../client/http/origin.ts';
import { requestFor, urlOf } from '../../../client/http/request.ts';
import type { Operation } from '../../../operations/operation.ts';
import { tickets } from '../../../operations/tickets.ts';
import { problemWith } from '../../../shell/options/values.ts';
import { backAnswer, type Prompts } from '../../../shell/terminal/prompts.ts';
import {
  askItem,
  askPayment,
  back,
  type Dialog,
  refundSteps,
  runSteps,
  sayEffect,
  ticketFrom,
} from '../refund/dialog.ts';
import type { MoneyTicket } from '../refund/refund.ts';
import { fillReply, placeholderIn } from '../replies.ts';
import type { Proposal } from './confirm-action.ts';
import { type ActionName, refundablePayments } from './possible-actions.ts';
import { draw, wrapped } from './screen.ts';
import type { TicketDetails } from './ticket-details.ts';
import { idOf, notify, sentenceOf, type WorkContext } from './work-context.ts';

type Propose = (context: WorkContext, details: TicketDetails) => Promise<Proposal | undefined>;

export const proposals: Readonly<Record<ActionName, Propose>> = {
  refund: (context, details) => proposeTicket(context, details, 'rfnd'),
  cancel: (context, details) => proposeTicket(context, details, 'cncl'),
  async reply(context, details) {
    const { prompts, today } = context;
    const chosen = await chooseText(context);
    if (chosen === undefined) return undefined;
    const problemOf = (comment: string): string | undefined => {
      const open = placeholderIn(comment, true);
      if (open !== undefined) return `Replace {${open}}, which has no value for this ticket.`;
      try {
        urlOf(liveBaseUrl, requestFor(tickets.comment, { id: idOf(details), comment }));
      } catch (error) {
        return sentenceOf(error);
      }
      return problemWith(tickets.comment.params.comment, comment, today);
    };
    const proposalOf = (text: string): Proposal => ({
      ...about('reply', tickets.comment, details, text),
      edit: () => edit(text),
    });
    const edit = async (before: string): Promise<Proposal | undefined> => {
      const text = await typeText(prompts, 'Reply', problemOf, before);
      return text === undefined ? undefined : proposalOf(text);
    };
    if (chosen === '') return edit('');
    const { text, missing } = fillReply(chosen, details);
    const names = missing.map((name) => `{${name}}`).join(', ');
    const problem =
      missing.length > 0
        ? `${names} has no value for this ticket. Edit the text.`
        : problemOf(text);
    if (problem === undefined) return proposalOf(text);
    draw(context, wrapped(context, problem));
    return edit(text);
  },
  close: async (_, details) => about('close', tickets.close, details),
  reopen: (context, details) => proposeReopening(context, details),
  return: async (_, details) => about('return', tickets.returned, details),
};

function about(
  name: ActionName,
  operation: Operation,
  details: TicketDetails,
  comment?: string,
): Proposal {
  const args = { id: idOf(details), ...(comment !== undefined && { comment }) };
  return { name, operation, args };
}

/** A plain full refund is three keys: full, the reason, and yes. A cancellation is about the payment of the ticket. */
async function proposeTicket(
  context: WorkContext,
  details: TicketDetails,
  type: MoneyTicket,
): Promise<Proposal | undefined> {
  const { ticket, sale, payment } = details;
  if (!sale) return undefined;
  const dialog = dialogWithKeys(context, details);
  const offered = refundablePayments(details, context.done.refunded);
  const steps = [
    askPayment(
      dialog,
      ({ receipt }) => offered.some((one) => one.receipt === receipt),
      payment?.receipt,
    ),
    askItem(dialog, ticket.productItemNo),
    sayEffect(dialog),
    ...refundSteps(dialog),
  ];
  const start = { sale, type, ...(type === 'cncl' && payment && { payment }) };
  const draft = await runSteps(steps, start);
  if (draft === back) return undefined;
  return {
    ...{ name: type === 'rfnd' ? 'refund' : 'cancel', ...ticketFrom(draft) },
    amount: draft.amounts?.customerAmount ?? undefined,
    currency: draft.amounts?.customerCurrency ?? undefined,
  };
}

const digits = '1234567890';

/** Each choice is one key; the tenth digit is 0, and no more than ten lines are shown. Esc and an empty text go back. */
function dialogWithKeys(context: WorkContext, { ticket }: TicketDetails): Dialog {
  const { client, today, prompts } = context;
  const say = (text: string) => draw(context, wrapped(context, text));
  return {
    ...{ client, today, say },
    ticketReason: ticket.description ?? undefined,
    refuse(sentence) {
      say(sentence);
      notify(context, sentence);
    },
    async choose(question, choices, { selected } = {}) {
      const shown = choices.slice(0, digits.length).map((choice, i) => {
        const [key = digits[i] ?? '', name] = choice.key ?? [];
        return { ...choice, key, keyName: name };
      });
      const lines = shown.filter(({ keyName }) => keyName === undefined);
      const texts = lines.flatMap(({ key, name }) => wrapped(context, name, { lead: `  ${key} ` }));
      if (texts.length > 0) draw(context, [{ text: '' }, ...texts]);
      const keys = shown.map(({ key, keyName, name, short = name }) =>
        keyName === undefined ? { key, short } : { key, name: keyName },
      );
      // After an error, a key that was typed ahead does not choose anything.
      const isFresh = selected !== undefined;
      const all = [...keys, { key: 'escape', name: 'back' }];
      const pressed = await prompts.key(question, all, { isFresh });
      return shown.find(({ key }) => key === pressed)?.value ?? back;
    },
    async type(question, check) {
      const typed = await typeText(prompts, question, check);
      return typed ?? back;
    },
  };
}

/** The text of a saved reply; empty to type one; undefined to go back. */
async function chooseText({ prompts, replies }: WorkContext): Promise<string | undefined> {
  const names = [...replies.keys()];
  if (names.length === 0) return '';
  const withDigits = names.slice(0, 9);
  const key = await prompts.key('Which reply?', [
    ...withDigits.map((name, i) => ({ key: digits[i] ?? '', name })),
    ...(names.length > withDigits.length ? [{ key: 'm', name: 'more replies' }] : []),
    { key: 't', name: 'type one' },
    { key: 'escape', name: 'back' },
  ]);
  if (key === 'escape') return undefined;
  if (key === 't') return '';
  const all = names.map((value) => ({ value, name: value }));
  const name = key === 'm' ? await prompts.select('Which reply?', all) : names[digits.indexOf(key)];
  return replies.get(name ?? '') ?? '';
}

/** Esc and an empty text go back: undefined. */
export async function typeText(
  prompts: Prompts,
  question: string,
  check: (answer: string) => string | undefined,
  initial?: string,
): Promise<string | undefined> {
  const typed = await prompts.input(
    `${question} (Esc: back):`,
    (answer) => (answer.trim() === '' ? undefined : check(answer.trim())),
    initial,
    { hasBack: true },
  );
  const text = typed.trim();
  return text === '' || text === backAnswer ? undefined : text;
}

/** The service requires a comment. */
async function proposeReopening(
  { prompts, today }: WorkContext,
  details: TicketDetails,
  initial?: string,
): Promise<Proposal | undefined> {
  const check = (answer: string) => problemWith(tickets.reopen.params.comment, answer, today);
  const comment = await typeText(prompts, 'Why do you reopen the ticket?', check, initial);
  return comment === undefined ? undefined : about('reopen', tickets.reopen, details, comment);
}

export const proposeUndo: Propose = async (context, details) => {
  const undo = context.done.undo.get(idOf(details));
  if (undo === 'reopen') return proposeReopening(context, details, 'Closed by mistake.');
  return proposals.close(context, details);
};
