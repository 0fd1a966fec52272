/** Files of plans: decided once, also by many at the same time, and never brought back. */
import { readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPlanId, type Plan, planIdFrom } from '../../../src/workflows/approvals/plan.ts';
import {
  claimPlan,
  listPlans,
  noteOutcome,
  readPlan,
  stateOf,
  storePlan,
} from '../../../src/workflows/approvals/plan-store.ts';

const created = new Date('2026-03-18T18:30:00Z');

function planAt(time: Date): Plan {
  const expiresAt = new Date(time.getTime() + 30 * 60_000).toISOString();
  return {
    ...{ version: 1, id: createPlanId(), createdAt: time.toISOString(), expiresAt },
    ...{ madeBy: 'test', service: 'the sandbox', command: 'tickets create', args: {} },
    facts: {
      ...{ action: 'Refund', details: [], warnings: [], state: null },
      request: { method: 'POST', path: '/', query: [] },
    },
  };
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-plans-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function stored() {
  const folder = await emptyFolder();
  const plan = planAt(created);
  await storePlan(folder, plan, () => 'seal');
  return { folder, plan };
}

const claim = (decision: 'approved' | 'declined' | 'changed') => ({
  ...{ decision, at: created.toISOString(), by: 'test' },
});

test('lets one of 20 decisions at the same time win', async () => {
  const { folder, plan } = await stored();
  const decisions = Array.from({ length: 20 }, (_, place) =>
    claimPlan(folder, plan.id, claim(place % 2 === 0 ? 'approved' : 'declined')),
  );
  expect((await Promise.all(decisions)).filter(Boolean)).toHaveLength(1);
});

test.each([
  ['approved', 'started'],
  ['declined', 'declined'],
  ['changed', 'not done'],
] as const)('has the state %s as %s, also long after its end', async (decision, state) => {
  const { folder, plan } = await stored();
  await claimPlan(folder, plan.id, claim(decision));
  const later = new Date(created.getTime() + 86_400_000);
  expect(stateOf(await readPlan(folder, plan.id), later)).toBe(state);
});

test.each(['', '{', '{"decision":'])(
  'counts as decided if its decision is cut short: %j',
  async (text) => {
    const { folder, plan } = await stored();
    writeFileSync(join(folder, `${plan.id}.claim`), text);
    const record = await readPlan(folder, plan.id);
    expect(stateOf(record, created)).toBe('started');
    expect(await claimPlan(folder, plan.id, claim('approved'))).toBe(false);
  },
);

test('keeps that a write is done, whatever is noted later', async () => {
  const { folder, plan } = await stored();
  const at = created.toISOString();
  await claimPlan(folder, plan.id, claim('approved'));
  await noteOutcome(folder, plan.id, { state: 'unknown', at, detail: '' });
  await noteOutcome(folder, plan.id, { state: 'done', at, detail: 'found' });
  await noteOutcome(folder, plan.id, { state: 'unknown', at, detail: '' });
  expect(stateOf(await readPlan(folder, plan.id), created)).toBe('done');
});

test.each([
  [0, 'waiting'],
  [30 * 60_000 - 1, 'waiting'],
  [30 * 60_000, 'expired'],
  [-60_001, 'expired'],
  [Number.NaN, 'expired'],
])('is, %i milliseconds after it was made, %s', async (late, state) => {
  const { folder, plan } = await stored();
  const time = new Date(created.getTime() + late);
  expect(stateOf(await readPlan(folder, plan.id), time)).toBe(state);
});

test('removes plans and their decisions after 30 days', async () => {
  const { folder, plan } = await stored();
  await claimPlan(folder, plan.id, claim('approved'));
  const late = planAt(new Date(created.getTime() + 32 * 86_400_000));
  await storePlan(folder, late, () => 'seal');
  expect(readdirSync(folder)).toEqual([`${late.id}.plan`]);
  expect((await listPlans(folder)).map((one) => one.plan.id)).toEqual([late.id]);
});

test('reads IDs as people type them, and makes no two alike', () => {
  const ids = Array.from({ length: 500 }, createPlanId);
  expect(new Set(ids).size).toBe(500);
  for (const id of ids) {
    expect(planIdFrom(` ${id.replaceAll('-', '').toUpperCase().replaceAll('0', 'O')} `)).toBe(id);
  }
  for (const typed of [
    '',
    'k7qd',
    '../k7qd-3mxp-9ft',
    'k7qd-3mxp-9ftwx',
    'k7qd/3mxp/9ft',
    'u'.repeat(12),
  ]) {
    expect(() => planIdFrom(typed)).toThrow('Invalid ID of a plan');
  }
});
