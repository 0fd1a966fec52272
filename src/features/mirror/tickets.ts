/** `cb tickets …` */
import { Option } from 'commander';
import { serviceZone } from '../../dates/day.ts';
import { ageText, dueText } from '../../dates/wall-time.ts';
import type { Arguments } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { tickets } from '../../operations/tickets.ts';
import type { DerivedField, Row, Value } from '../../output/rows/rows.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import { itemsOf, joined } from '../../shell/display/texts.ts';
import type { View, ViewFacts } from '../../shell/display/view.ts';
import { usage } from '../../shell/failure.ts';
import { requestOptions } from '../../shell/help/help-text.ts';
import {
  allowDuplicateOption,
  allowRefundOption,
  helpGroups,
  optionWord,
  replyOption,
  verifyWaitOption,
} from '../../shell/options/flags.ts';
import { receiptFrom } from '../../shell/options/values.ts';
import { type ImportFlags, importFile, importOptions } from '../import/import-file.ts';
import type { EndpointOptions } from './arguments.ts';
import { endpointCommands } from './endpoint-command.ts';

const summary = 'Create a ticket for each row of a CSV file; - reads stdin';

const ticketImport: Required<Pick<EndpointOptions, 'instead' | 'flags'>> = {
  flags: [['--from <file>', summary] as const, ...Object.values(importOptions)].map(
    ([flags, summary]) => new Option(flags, summary).helpGroup(helpGroups.options),
  ),
  async instead(cmd, flags: ImportFlags & { readonly from?: string }) {
    const { from, receipt } = flags;
    if (from !== undefined && receipt !== undefined) {
      throw usage('<receipt> and --from were both given.', { hint: 'Use one or the other.' });
    }
    const ignored = Object.keys(importOptions).find((name) => flags[name] !== undefined);
    if (from === undefined && ignored) {
      throw usage(`--${optionWord(ignored)} requires --from with a CSV file.`);
    }
    if (from !== undefined) await importFile(cmd, tickets.create, from, flags);
    return from !== undefined;
  },
};

const refund = command({
  words: 'tickets refund',
  summary: 'Refund or cancel an order, step by step',
  args: { '[receipt]': 'Receipt of the sale (default: search step by step)' },
  options: {
    allowDuplicate: allowDuplicateOption,
    dryRun: ['--dry-run', 'Ask for everything, but do not send the request'],
    verifyWait: verifyWaitOption,
  },
  shows: { asReceived: true },
  help: {
    notes: [
      'Asks step by step, shows the amounts, and sends nothing until you confirm the last step. At the end, prints the cb tickets create command that does the same without prompts.',
    ],
    asks: true,
    examples: [
      'cb tickets refund',
      'cb tickets refund DIGITAL1',
      'cb tickets refund MONTHLY1 --dry-run',
    ],
    roles: [...orders.list.roles, ...tickets.create.roles],
    obeys: requestOptions,
    effect: 'destroys',
    topics: ['safety', 'credentials'],
  },
  async run(cmd, flags, output) {
    const typed = flags.receipt && receiptFrom(flags.receipt);
    const { refund } = await import('../tickets/refund/wizard.ts');
    await refund(cmd, output, typed, flags);
  },
});

const work = command({
  words: 'tickets work',
  summary: 'Answer open tickets one after the other',
  parameters: [tickets.list],
  options: {
    log: ['--log <file>', 'Append each action to a CSV file'],
    dryRun: ['--dry-run', 'Ask for everything, but do not send anything'],
    verifyWait: verifyWaitOption,
  },
  shows: {},
  help: {
    notes: [
      'Shows open and reopened tickets one after the other, the soonest to expire first. Each action is one key, and nothing is sent until you confirm it. At the end, lists what was done.',
    ],
    asks: true,
    examples: [
      'cb tickets work',
      'cb tickets work --type refund --log today.csv',
      'cb tickets work --dry-run',
    ],
    roles: [...orders.list.roles, ...tickets.create.roles],
    obeys: requestOptions,
    effect: 'destroys',
    topics: ['safety', 'credentials'],
  },
  run: async (cmd, flags, output) =>
    (await import('../tickets/queue/work.ts')).workOnTickets(cmd, output, flags),
});

/** The ages are those at the service, whose clock may differ from the one of this machine. */
function ticketView(_: Arguments, facts: Partial<ViewFacts> = {}): View {
  const { now = () => new Date(), zone = serviceZone } = facts;
  return {
    resource: tickets.list.returns.resource,
    derived: {
      age: {
        kind: 'text',
        from: ({ openedDate }) => {
          const opened = momentOf(openedDate);
          return opened === undefined ? undefined : ageText(now().getTime() - opened);
        },
        // The youngest first, as for any other number.
        order({ openedDate }) {
          const opened = momentOf(openedDate);
          return opened === undefined ? undefined : 0 - opened;
        },
      },
      expiresIn: {
        kind: 'text',
        from: (row) => {
          const due = dueAt(row);
          return due === undefined ? undefined : dueText(new Date(due), now(), zone);
        },
        order: dueAt,
      },
      ...texts,
    },
    columns: () => ({
      shown: [
        ...['ticketid', 'type', 'age', 'expiresIn', 'status', 'receipt', 'customer', 'product'],
        ...['refundAmount', 'refundType', 'lastMessage', 'openedDate', 'expirationDate', 'email'],
      ],
      needed: ['ticketid', 'status', 'expiresIn', 'type', 'receipt', 'customer', 'age', 'product'],
      wanted: ['lastMessage', 'refundAmount'],
      more: ['openedDate', 'refundType', 'email', 'expirationDate'],
      headings: { ticketid: 'ID' },
    }),
    ofThem: { adjective: 'open', is: ({ status }) => status !== 'CLOSED' },
  };
}

const texts: Readonly<Record<string, DerivedField>> = {
  customer: {
    kind: 'text',
    least: 10,
    from: ({ customerFirstName, customerLastName, email }) =>
      joined([customerFirstName, customerLastName]) ?? email,
  },
  /** The rows have no title. */
  product: { kind: 'text', names: 'sku', from: ({ productItemNo }) => productItemNo },
  lastMessage: { kind: 'text', from: lastMessage },
};

function momentOf(time: Value): number | undefined {
  const moment = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

/** A closed ticket no longer expires. */
function dueAt({ status, expirationDate }: Row): number | undefined {
  return status === 'CLOSED' ? undefined : momentOf(expirationDate);
}

/** The latest comment with text, after `You:` if the vendor wrote it. */
function lastMessage({ comments }: Row): string | undefined {
  const written = itemsOf(comments).filter(({ comment }) => joined([comment]) !== undefined);
  const last = written.reduce<Row | undefined>(
    (latest, one) =>
      latest && (momentOf(latest.date) ?? 0) > (momentOf(one.date) ?? 0) ? latest : one,
    undefined,
  );
  if (!last) return undefined;
  return last.commentRole === 'VENDOR' ? `You: ${String(last.comment)}` : String(last.comment);
}

const several = { many: 'id' };
const refunding = { ...several, flags: [allowRefundOption], effect: 'destroys' } as const;

export const ticketsGroup: GroupSpec = {
  words: 'tickets',
  help: {
    asks: true,
    examples: [
      'cb tickets work',
      'cb tickets refund',
      'cb tickets list --status open',
      'cb tickets create MONTHLY1 --type cncl --reason ticket.type.cancel.5 --dry-run',
    ],
    topics: ['safety', 'dates', 'output'],
  },
  commands: endpointCommands(Object.values(tickets), {
    special: {
      'tickets list': { view: ticketView },
      'tickets create': {
        effect: 'destroys',
        flags: [allowDuplicateOption, allowRefundOption, ...ticketImport.flags],
        instead: ticketImport.instead,
      },
      'tickets refund-amounts': { next: refund },
      'tickets count': { next: work },
      'tickets close': {
        ...several,
        examples: [
          'cb tickets list --status open --fields ticketid | tail -n +2 | cb tickets close - --dry-run',
        ],
      },
      'tickets reopen': refunding,
      'tickets change': refunding,
      'tickets comment': {
        ...several,
        flags: [replyOption],
        // Loaded only if a saved reply is sent.
        fill: async (cmd, typed) => {
          if (typed.reply === undefined) return typed;
          const { fillComment } = await import('../tickets/replies.ts');
          return fillComment(cmd, typed);
        },
      },
      'tickets returned': { ...several, effect: 'destroys' },
    },
  }),
};
