/** The tools `answer_ticket` and `close_ticket`. */
import { tickets } from '../../operations/tickets.ts';
import { argumentsFor, inputOf } from '../rows/arguments.ts';
import type { Tool } from '../tool.ts';
import { planOutput, planTexts } from './plan-output.ts';
import { runWrite } from './write-call.ts';

const { comment, close } = tickets;

export const answerTicket: Tool = {
  name: 'answer_ticket',
  title: 'Answer a ticket',
  description: 'Plan a comment on a ticket, which the customer reads, and ask the person.',
  writes: true,
  writtenByOthers: planTexts,
  input: inputOf(argumentsFor(comment.params), ['id', 'comment']),
  output: planOutput,
  run: (args, call) => runWrite(comment, args, call),
};

export const closeTicket: Tool = {
  name: 'close_ticket',
  title: 'Close a ticket',
  description: 'Plan to close a ticket, and ask the person. Closing cancels an open refund.',
  writes: true,
  writtenByOthers: planTexts,
  input: inputOf(argumentsFor(close.params, 'id', 'comment'), ['id']),
  output: planOutput,
  run: (args, call) => runWrite(close, args, call),
};
