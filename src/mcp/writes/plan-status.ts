/** The tool `plan_status`. */
import { factLines } from '../../workflows/approvals/facts.ts';
import { planIdFrom } from '../../workflows/approvals/plan.ts';
import { planStatus } from '../../workflows/approvals/plan-status.ts';
import { inputOf, text } from '../rows/arguments.ts';
import type { Tool } from '../tool.ts';
import { planData, planOutput, planTexts } from './plan-output.ts';
import { approvalsOf } from './write-call.ts';

export const planStatusTool: Tool = {
  name: 'plan_status',
  title: 'Status of a plan',
  description:
    'Tell what became of a planned write: waiting, done, declined and so on. Looks for it if the outcome is unknown. Sends nothing.',
  writes: false,
  writtenByOthers: planTexts,
  input: inputOf({ plan: text('ID of the plan') }, ['plan']),
  output: planOutput,
  async run({ plan }, call) {
    const status = await planStatus(approvalsOf(call), planIdFrom(String(plan)));
    const { state, explanation } = status;
    return {
      summary: `Plan ${status.plan.id} is ${state}. ${explanation}`,
      data: planData(status),
      lines: factLines(status.plan.facts),
    };
  },
};
