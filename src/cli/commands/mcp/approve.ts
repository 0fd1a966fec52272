/** `cb approve`: the yes of a person to a write that an agent has planned. */
import { planResource } from '../../approvals/plan-resource.ts';
import { command } from '../../runtime/define.ts';
import { usage } from '../../runtime/failure.ts';

export const approve = command({
  words: 'approve',
  args: { '[id]': 'ID of the plan, such as k7qd-3mxp-9ftw (default: list the plans)' },
  options: { decline: ['--decline', 'Decline the plan, so that nobody can approve it'] },
  shows: { rows: true, shape: () => planResource },
  help: {
    notes: [
      'Agents that use cb mcp can only plan a write. With the ID of a plan, shows what it does, asks, and sends it once. Without an ID, lists the plans that wait.',
      'Needs a terminal: no option replaces your answer. A plan can be used once and expires after 30 minutes.',
    ],
    examples: ['cb approve'],
    remarks: [
      'Reads everything again before it sends. If anything has changed since the plan was made, nothing is sent.',
    ],
    obeys: ['--profile', '--sandbox', '--timeout', '--max-wait', '--wire', '--tz'],
    effect: 'destroys',
    topics: ['safety', 'exit-codes'],
  },
  async run(cmd, { id, decline }, output) {
    if (id !== undefined) {
      const { approveOne, declineOnly } = await import('../../approvals/approve-plan.ts');
      await (decline ? declineOnly(cmd, id) : approveOne(cmd, output, id));
      return;
    }
    if (decline) throw usage('--decline needs the ID of a plan.', { next: 'cb approve' });
    const { listWaitingPlans } = await import('../../approvals/list-plans.ts');
    await listWaitingPlans(cmd, output);
  },
});
