/** `cb approve`: the yes of a person to a write that an agent has planned. */
import { type Command, Option } from 'commander';
import { planResource } from '../../approvals/plan-resource.ts';
import { helpGroups } from '../../flags/flags.ts';
import { addShowFlags, readShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import { addAction } from '../../runtime/command.ts';
import type { Call } from '../../runtime/command-context.ts';
import { usage } from '../../runtime/failure.ts';

const helpText: HelpText = {
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
};

const loadActions = () => import('../../approvals/approve-plan.ts');

export function buildApprove(command: Command, call: Call): void {
  command.argument('[id]', 'ID of the plan, such as k7qd-3mxp-9ftw (default: list the plans)');
  const shows = { rows: true, shape: () => planResource } as const;
  command.addOption(
    new Option('--decline', 'Decline the plan, so that nobody can approve it').helpGroup(
      helpGroups.options,
    ),
  );
  addShowFlags(command, shows);
  addHelp(command, () => helpText);
  addAction(command, call, async (cmd, flags: ShowFlags & { decline?: boolean }, typed) => {
    const output = readShowFlags(cmd, flags, shows);
    if (typed !== undefined) {
      const { approveOne, declineOnly } = await loadActions();
      await (flags.decline ? declineOnly(cmd, typed) : approveOne(cmd, output, typed));
      return;
    }
    if (flags.decline) throw usage('--decline needs the ID of a plan.', { next: 'cb approve' });
    const { listWaitingPlans } = await import('../../approvals/list-plans.ts');
    await listWaitingPlans(cmd, output);
  });
}
