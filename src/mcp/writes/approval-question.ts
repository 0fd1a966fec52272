/** The question to a person whether to send a write, and what counts as a yes. */
import { factLines, refundText, unexpectedRefund } from '../../workflows/approvals/facts.ts';
import type { Plan } from '../../workflows/approvals/plan.ts';
import { withoutControls } from '../running.ts';
import type { Answer, FormField, Question } from '../tool.ts';

/** First and default, so that a client that fills in a form by itself declines. */
const no = 'Do not send';

/** Names the plan, so that a yes to one question can't be a yes to another. */
function yesTo({ id }: Plan): string {
  return `Send it (plan ${id})`;
}

/** A refund that the name of the tool does not suggest is a question of its own. */
const noRefund = 'Do not refund';

function refundYesTo({ facts }: Plan): string {
  return `Refund ${refundText(facts)}`;
}

export function approvalQuestion(plan: Plan): Question {
  const { facts, id, madeBy, profile, service } = plan;
  const refund = unexpectedRefund(facts);
  const account = profile === undefined ? 'the key in CB_API_KEY' : `profile ${profile}`;
  const message = [
    ...factLines(facts).map(oneLine),
    `Account: ${account} at ${service}. Plan ${id}, asked for by ${oneLine(madeBy)}.`,
  ].join('\n');
  return {
    message,
    fields: {
      decision: choiceOf('Send this request?', [no, yesTo(plan)]),
      ...(refund && { refund: choiceOf('Allow this refund?', [noRefund, refundYesTo(plan)]) }),
    },
    required: ['decision', ...(refund ? ['refund'] : [])],
  };
}

function choiceOf(title: string, values: readonly [no: string, yes: string]): FormField {
  return { type: 'string', title, enum: values, default: values[0] };
}

/** True only for an accepted form with exactly these answers and nothing else. */
export function isYes(answer: Answer, plan: Plan): boolean {
  if (answer.action !== 'accept') return false;
  const expected: Readonly<Record<string, string>> = {
    decision: yesTo(plan),
    ...(unexpectedRefund(plan.facts) && { refund: refundYesTo(plan) }),
  };
  const names = Object.keys(expected);
  const given = Object.keys(answer.content);
  return (
    given.length === names.length && names.every((name) => answer.content[name] === expected[name])
  );
}

/** Names and comments can't begin a line that looks like one of the question. */
export function oneLine(text: string): string {
  return withoutControls(text.replaceAll(/\s+/g, ' '));
}
