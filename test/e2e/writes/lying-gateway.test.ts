/** Every kind of write, on every way to it, through a lying gateway: reports are true, and no row is sent twice. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { createClient } from '../../../src/library/index.ts';
import type { SafeWriteResult } from '../../../src/library/types.ts';
import { catalogue } from '../../../src/operations/index.ts';
import type { Arguments, Operation } from '../../../src/operations/operation.ts';
import { verifierOf } from '../../../src/safe-write/rules.ts';
import { startAgent } from '../../support/agent.ts';
import { planIn, yes } from '../../support/approvals.ts';
import { home, now } from '../../support/cb.ts';
import { clientOf } from '../../support/client.ts';
import {
  type Lie,
  type LyingGateway,
  lies,
  startLyingGateway,
} from '../../support/lying-gateway.ts';
import { person } from '../../support/person.ts';
import { worker } from '../../support/queue.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { isLong, tier } from '../../support/tier.ts';
import { type VirtualClock, virtualClock } from '../../support/virtual-clock.ts';

type Report = 'done' | 'not done' | 'unknown';

const refundReason = 'ticket.type.refund.2';
const cancelReason = 'ticket.type.cancel.5';
const supportReason = 'ticket.type.tech_support.10';
const notice = { receipt: 'PARCEL01', date: '2026-03-18', carrier: 'USPS', tracking: 'T1' };
const address = { receipt: 'SHIPBOX1', address1: '1 Main St', city: 'Boise', countryCode: 'US' };

/** A write on a new sandbox, by command and arguments. */
const writes = {
  refund: [
    'tickets create',
    { receipt: 'DIGITAL1', type: 'rfnd', reason: refundReason, refundType: 'FULL' },
  ],
  cancel: ['tickets create', { receipt: 'MONTHLY1', type: 'cncl', reason: cancelReason }],
  support: ['tickets create', { receipt: 'PARCEL01', type: 'tech', reason: supportReason }],
  close: ['tickets close', { id: '1001' }],
  reopen: ['tickets reopen', { id: '1002', comment: 'Again' }],
  change: ['tickets change', { id: '1003', type: 'cncl' }],
  comment: ['tickets comment', { id: '1001', comment: 'On it' }],
  returned: ['tickets returned', { id: '1004' }],
  pause: ['orders pause', { receipt: 'MONTHLY1', restartDate: '2026-05-01' }],
  extend: ['orders extend', { receipt: 'LIMITED1', numPeriods: 2 }],
  'change-date': ['orders change-date', { receipt: 'MONTHLY1', changeDate: '2026-04-10' }],
  reinstate: ['orders reinstate', { receipt: 'CANCEL01' }],
  'change-product': [
    'orders change-product',
    { receipt: 'MONTHLY1', oldSku: 'CLUB-M', newSku: 'CLUB-PLUS-M', applyProratedRefund: false },
  ],
  'change-address': ['orders change-address', address],
  save: [
    'products save',
    {
      ...{ sku: 'NEW-01', site: 'GREENLEAF', currency: 'USD', price: '19.00', language: 'EN' },
      ...{ title: 'A new guide', digital: true, categories: ['EBOOK'] },
      ...{ thankYouPage: 'https://example.com/thanks', pitchPage: 'https://example.com/pitch' },
    },
  ],
  delete: ['products delete', { sku: 'GUIDE-01', site: 'GREENLEAF' }],
  notice: ['ship notice add --generation 3', notice],
  'notice of generation 2': ['ship notice add --generation 2', notice],
  'notice of generation 1': ['ship notice add --generation 1', notice],
} as const satisfies Readonly<Record<string, readonly [string, Arguments]>>;

type Kind = keyof typeof writes;

function operationOf(kind: Kind): Operation {
  const found = catalogue.find(({ command }) => command === writes[kind][0]);
  if (!found) throw new Error(`There is no operation '${writes[kind][0]}'.`);
  return found;
}

/** What a way to a write needs: a home, and a service behind a gateway. */
interface World {
  readonly kind: Kind;
  readonly clock: VirtualClock;
  readonly gateway: LyingGateway;
  readonly env: Readonly<Record<string, string>>;
  readonly timeout: string;
}

/** Writes once, and returns what cb reports. */
type Way = (at: World) => Promise<Report>;

function byExitCode(code: number): Report {
  if (code === 0) return 'done';
  return code === 8 ? 'unknown' : 'not done';
}

function optionsFor(kind: Kind): string {
  const { path, params } = operationOf(kind);
  const typed = Object.entries(writes[kind][1] as Arguments).flatMap(([name, value]) => {
    if (path.includes(`{${name}}`) && !params[name]?.asFlag) return [];
    const option = name.replace(/[A-Z]|\d+/g, (part) =>
      /\d/.test(part) ? part : `-${part.toLowerCase()}`,
    );
    if (typeof value === 'boolean') return [value ? `--${option}` : `--no-${option}`];
    return [`--${option} '${value}'`];
  });
  return typed.join(' ');
}

function targetOf(kind: Kind): string {
  const { receipt, id, sku } = writes[kind][1] as Readonly<Record<string, string>>;
  return receipt ?? id ?? sku ?? '';
}

const single: Way = async ({ kind, env, clock, timeout }) => {
  const { command } = operationOf(kind);
  const allow = /^tickets (?:create|change|reopen)/.test(command) ? '--allow-refund' : '';
  const line = `${command} ${targetOf(kind)} ${optionsFor(kind)} ${allow} --yes ${timeout}`;
  const { code, err } = await home().cb(line, { env, clock });
  expect([line, code, err]).not.toEqual([line, 2, err]);
  return byExitCode(code);
};

/** Runs it again, as a person would; the journal must still tell the truth. */
const imported: Way = async ({ kind, env, clock, gateway, timeout }) => {
  const { cb, folder } = home();
  const args = Object.entries(writes[kind][1]);
  const table = [args.map(([name]) => name), args.map(([, value]) => String(value))];
  writeFileSync(join(folder, 'rows.csv'), table.map((row) => row.join(',')).join('\n'));
  const importing =
    kind === 'notice' ? 'ship notice import rows.csv' : 'tickets create --from rows.csv';
  const allow = kind === 'notice' ? '' : '--allow-refund';
  const line = `${importing} --yes ${allow} ${timeout}`;
  const first = await cb(line, { env, clock });
  const report = byExitCode(first.code);
  const arrived = gateway.arrived();
  const again = await cb(line, { env, clock });
  // A late row may be found by the second run, and is never sent by it.
  if (report !== 'not done') expect(gateway.arrived(), again.err).toBe(arrived);
  return report;
};

const wizard: Way = async ({ kind, env, clock, timeout }) => {
  const answers = {
    refund: ['rfnd', 'FULL', refundReason, '', 'send'],
    cancel: ['MONTHLY1-B004', 'cncl', cancelReason, '', 'send'],
  } as const;
  const who = person(...answers[kind as keyof typeof answers]);
  const line = `tickets refund ${targetOf(kind)} ${timeout}`;
  return byExitCode((await home().cb(line, { env, clock, columns: 80, person: who })).code);
};

/** The queue works on the ticket of the write, or on a support ticket for its receipt. */
const queue: Way = async ({ kind, env, clock, timeout }) => {
  const keys = { refund: 'f', cancel: 'c', close: 'x', comment: 'r' } as const;
  const { cb } = home();
  const receipt = /^\d+$/.test(targetOf(kind)) ? 'TICKET01' : targetOf(kind);
  const line = `tickets work --receipt ${receipt} -o json --no-color ${timeout}`;
  const who = worker((position) => (position === 0 ? [keys[kind as keyof typeof keys]] : []));
  const { out, err } = await cb(line, { env, clock, columns: 80, person: who });
  expect(out, err).not.toBe('');
  const [action] = JSON.parse(out) as { readonly outcome: string }[];
  if (action?.outcome === 'done' || action?.outcome === 'not done') return action.outcome;
  return 'unknown';
};

const tools: Partial<Record<Kind, string>> = {
  refund: 'refund_order',
  cancel: 'cancel_order',
  close: 'close_ticket',
  comment: 'answer_ticket',
  'change-address': 'change_address',
  'notice of generation 2': 'add_ship_notice',
};

/** The tool and its arguments. */
function callOf(kind: Kind): readonly [tool: string, args: Arguments] {
  const { type: _, ...args } = writes[kind][1] as Arguments;
  const tool = tools[kind];
  if (tool !== undefined) return [tool, args];
  return ['change_subscription', { change: kind.replace('-', ' '), ...args }];
}

const agent: Way = async ({ kind, env, clock, timeout }) => {
  const args = ['--allow-writes', ...timeout.split(' ').filter(Boolean)];
  const started = await startAgent({ env, clock, answer: yes, args });
  const { data, text } = await started.call(...callOf(kind));
  await started.close();
  expect(data.state, text).toBeOneOf(['done', 'not done', 'unknown']);
  return data.state as Report;
};

const approval: Way = async ({ kind, env, clock, timeout }) => {
  const { cb, folder } = home();
  const started = await startAgent({ env, clock, folder, args: ['--allow-writes'] });
  const { text } = await started.call(...callOf(kind));
  await started.close();
  const line = `approve ${planIn(text)} ${timeout}`;
  const who = person('y', 'y');
  return byExitCode((await cb(line, { env, clock, columns: 80, person: who })).code);
};

const library: Way = async ({ kind, env, clock, timeout }) => {
  const client = createClient({
    ...{ baseUrl: env.CB_BASE_URL ?? '', apiKey: env.CB_API_KEY ?? '', now: () => now },
    ...{ pace: Number.POSITIVE_INFINITY, ...(timeout && { timeout: 500 }) },
  });
  const { command } = operationOf(kind);
  const method = methodIn(client.safe, command);
  const result = await method(writes[kind][1], { confirm: () => true, clock });
  await client.close();
  return result.state === 'not-done' ? 'not done' : result.state;
};

type Method = (args: object, options: object) => Promise<SafeWriteResult<unknown>>;

function methodIn(tree: object, command: string): Method {
  const generation = /--generation ([12])/.exec(command)?.[1];
  const noticesAdd = ['ship', ...(generation ? [`generation${generation}`] : []), 'notices', 'add'];
  const names = command.startsWith('ship notice') ? noticesAdd : command.split(' ');
  const camel = (name: string) =>
    name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return names.reduce<unknown>(
    (at, name) => (at as Record<string, unknown>)[camel(name)],
    tree,
  ) as Method;
}

const planned: readonly Kind[] = [
  ...(['refund', 'cancel', 'close', 'comment', 'pause', 'extend', 'change-date'] as const),
  ...(['reinstate', 'change-product', 'change-address', 'notice of generation 2'] as const),
];

const allKinds = Object.keys(writes) as Kind[];

/** The kinds that `npm test` takes of a way that sends and verifies all of them with the same code. */
const some: readonly Kind[] = ['refund', 'comment', 'pause'];

/** One for each verifier. */
const verified: readonly Kind[] = [
  ...(['refund', 'close', 'comment', 'returned', 'pause', 'extend', 'reinstate'] as const),
  ...(['change-product', 'change-address', 'delete', 'notice of generation 1'] as const),
];

type Kinds = readonly Kind[];

/** Each way to a write, its kinds, and those of `npm test`. */
const ways: readonly (readonly [name: string, way: Way, all: Kinds, some: Kinds])[] = [
  ['a single command', single, allKinds, verified],
  ['an import', imported, ['refund', 'cancel', 'support', 'notice'], ['refund', 'notice']],
  ['the wizard', wizard, ['refund', 'cancel'], ['refund']],
  ['the queue', queue, ['refund', 'cancel', 'close', 'comment'], ['refund', 'comment']],
  ['an agent whose client asks', agent, planned, some],
  ['cb approve', approval, planned, ['comment', 'notice of generation 2']],
  ['the library', library, allKinds, [...some, 'save']],
];

/** The service promises no content, so a 200 without content that a gateway makes up can't be told from its own. */
function isBeyondProof(kind: Kind, { answer }: Lie): boolean {
  const isEmpty = ['an empty 200', 'a 200 with null', 'a 200 with {}'].includes(answer);
  return operationOf(kind).returns.kind === 'nothing' && isEmpty;
}

/** What cb can know if it reads back for long enough. */
function expectedReport(kind: Kind, way: string, lie: Lie): Report {
  const { answer, forwards } = lie;
  if (isBeyondProof(kind, lie) || answer === 'the second answer') return 'done';
  const isVerifiable = verifierOf(operationOf(kind)) !== undefined;
  if (forwards !== 'never') return isVerifiable ? 'done' : 'unknown';
  if (answer !== '429' || !isVerifiable) return 'unknown';
  // An import sends a row again once it has looked for it.
  return way === 'an import' ? 'done' : 'not done';
}

async function tryPair(name: string, way: Way, kind: Kind, lie: Lie): Promise<void> {
  const { sandbox, env } = await serveSandbox({ orders: 20 });
  if (name === 'the queue') await openTicket(kind, sandbox.url, env.CB_API_KEY);
  const clock = virtualClock();
  const gateway = await startLyingGateway(sandbox.url, lie, clock.now);
  const timeout = lie.answer === 'no answer' ? '--timeout 0.5' : '';
  const report = await way({ kind, clock, gateway, env: { ...env, ...gateway.env }, timeout });
  await gateway.settle();
  const arrived = gateway.arrived();
  const pair = { way: name, kind, ...lie, arrived };
  expect({ ...pair, report }).toEqual({ ...pair, report: expectedReport(kind, name, lie) });
  const isBeyond = isBeyondProof(kind, lie);
  if (report === 'done' && !isBeyond) expect(arrived, JSON.stringify(pair)).toBeGreaterThan(0);
  if (report === 'not done') expect(arrived, JSON.stringify(pair)).toBe(0);
  // Two arrive only if the gateway itself delivers one write twice.
  expect(arrived, JSON.stringify(pair)).toBeLessThanOrEqual(lie.forwards === 'twice' ? 2 : 1);
  if (arrived > 1) expect(gateway.received()).toBe(1);
}

async function openTicket(kind: Kind, url: string, apiKey: string): Promise<void> {
  if (/^\d+$/.test(targetOf(kind))) return;
  const args = { receipt: targetOf(kind), type: 'tech', reason: supportReason };
  await clientOf(url, { apiKey }).call(operationOf('support'), args);
}

const random = xoroshiro128plus(25);
const deck = lies.filter(({ forwards }) => forwards !== 'never');

/** Always the same lies, each of them once, about writes that arrive. */
function deal(): readonly Lie[] {
  return deck.splice((random.next() >>> 0) % deck.length, 1);
}

const cases = ways.flatMap(([name, way, all, some]) =>
  tier(some, all).map((kind) => [kind, name, way, isLong ? lies : deal()] as const),
);

test.each(cases)(
  'reports truly what became of the write %s by %s through a lying gateway',
  tier({}, { timeout: 30 * 60_000 }),
  async (kind, name, way, dealt) => {
    for (const lie of dealt) await tryPair(name, way, kind, lie);
  },
);

const lost = { answer: 'an empty 200', forwards: 'never', isStale: false } as const;
const answersNull = { ...lost, answer: 'a 200 with null' } as const;
const answersOther = { ...lost, answer: 'a 200 with another object' } as const;
const doubled = { answer: 'the second answer', forwards: 'twice', isStale: true } as const;

test.each([
  ['a refund that an empty 200 hides from ClickBank', 'a single command', 'refund', lost],
  ['a refund that null hides from ClickBank', 'an import', 'refund', answersNull],
  ['a ticket that was not closed', 'the queue', 'close', answersNull],
  ['a subscription that was not paused', 'a single command', 'pause', answersOther],
  ['an approved refund that did not arrive', 'cb approve', 'refund', lost],
  ['a refund that arrives twice', 'a single command', 'refund', doubled],
  ['a cancellation that arrives twice', 'the wizard', 'cancel', doubled],
] as const)('reports truly %s, by %s', async (_, name, kind, lie) => {
  const [, way] = ways.find(([one]) => one === name) ?? [];
  if (way) await tryPair(name, way, kind, lie);
});

const shipments = ['PARCEL01,', 'RETURN01,', 'SHIPBOX1,', 'PARCEL02,TROWEL'];

/** An import of ship notices through a gateway that lies about the first three. */
async function importNotices(lie: Lie) {
  const { sandbox, env } = await serveSandbox({ orders: 60 });
  const clock = virtualClock();
  const gateway = await startLyingGateway(sandbox.url, lie, clock.now, 3);
  const { cb, folder } = home();
  const rows = shipments.map((shipment, i) => `${shipment},2026-03-18,USPS,T${i}`);
  const file = join(folder, 'rows.csv');
  writeFileSync(file, ['receipt,item,date,carrier,tracking', ...rows].join('\n'));
  const line = 'ship notice import rows.csv --yes --concurrency 1';
  const run = () => cb(line, { env: { ...env, ...gateway.env }, clock });
  const results = () => readFileSync(`${file}.results.csv`, 'utf8').match(/,(done|unknown)\b/g);
  return { gateway, run, results };
}

test('imports no row as done that a gateway has answered with an empty 200, also when it runs again', async () => {
  const { gateway, run, results } = await importNotices(lost);
  for (const _ of [1, 2]) {
    expect(await run()).toMatchObject({ code: 8 });
    expect(results()).toEqual([',unknown', ',unknown', ',unknown', ',done']);
  }
  expect(gateway.arrived()).toBe(1);
});

test('sends each row of an import once if a gateway answers 429 to what it forwards, and reads lag', async () => {
  const { gateway, run, results } = await importNotices({
    ...{ answer: '429', forwards: 'before it answers', isStale: true },
  });
  expect(await run()).toMatchObject({ code: 0 });
  expect(results()).toEqual([',done', ',done', ',done', ',done']);
  expect([gateway.received(), gateway.arrived()]).toEqual([4, 4]);
});
