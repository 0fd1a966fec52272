/** The refund wizard of the built program, at a real terminal. */
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { shell } from '../../support/binary.ts';
import { onTerminal } from '../../support/pty.ts';
import { serveSandbox } from '../../support/sandbox.ts';

const down = '\u001b[B';
const enter = '\r';

/** "Send it" stands two lines above "Cancel", which is selected. */
const yes = '\u001b[A\u001b[A\r';

async function terminal(columns = 80) {
  const { env, writes } = await serveSandbox({ keyName: 'vendor' });
  return {
    /** Answers the questions of the wizard; waits for each question before typing. */
    async wizard(words: string, ...answers: readonly (readonly [RegExp, string])[]) {
      const line = `stty cols ${columns} rows 50; cb tickets refund ${words}`;
      const running = onTerminal(line, { env });
      for (const [question, keys] of answers) {
        await running.until(question);
        running.type(keys);
      }
      // A wizard that was canceled ends without this question.
      const asked = await running.until(/Another customer\?|code \d/);
      if (!/code \d/.test(asked)) running.type(enter);
      const { out } = await running.ended();
      return { out, code: Number(/code (\d+)/.exec(out)?.[1]) };
    },
    /** The writes that reached the service. */
    writes: () => writes().map(({ method, path }) => `${method} ${path}`),
    env,
  };
}

/** An inquirer select accepts keys once its help line is visible. */
const choice = (question: string) => new RegExp(`${question}[\\s\\S]*⏎`);

const steps = {
  payment: choice('Which payment of the subscription'),
  type: choice('What do you want to do\\?'),
  extent: choice('How much'),
  reason: choice('What is the reason'),
  comment: /Comment on the ticket/,
  send: choice('Send this request'),
} as const;

test('refunds a one-time sale from its receipt to its ticket', async () => {
  const at = await terminal();
  const { code, out } = await at.wizard(
    'DIGITAL1',
    [steps.type, enter],
    [steps.extent, enter],
    [steps.reason, `${down}${enter}`],
    [steps.comment, `It's "not" what $HOME wanted; sorry${enter}`],
    [steps.send, yes],
  );
  expect({ code, out }).toMatchObject({ code: 0 });
  expect(out).toMatch(/Customer +Ada Sample, ada\.sample@example\.com, US/);
  expect(out).toMatch(/Paid +37\.00 USD, VISA/);
  expect(out).toMatch(/Refunded +nothing/);
  expect(out).toContain('A cancellation refunds DIGITAL1 in full');
  expect(out).toContain('ClickBank would refund 37.00 USD.');
  expect(out).toContain('POST /rest/1.3/tickets/DIGITAL1');
  expect(out).toContain('reason=ticket.type.refund.2');
  expect(at.writes()).toEqual([expect.stringMatching(/^POST \/rest\/1\.3\/tickets\/DIGITAL1\?/)]);
  // The printed line, run by a shell against a fresh sandbox, sends the same request.
  const [, line = ''] = /run:\r\n(cb tickets [^\r]*)/.exec(out) ?? [];
  const fresh = await terminal();
  const again = await shell(line, { env: fresh.env }).ended();
  expect({ line, code: again.code, err: again.err }).toMatchObject({ code: 0 });
  expect(fresh.writes()).toEqual(at.writes());
});

test('continues a long choice on the next line, so that a narrow terminal shows all of it', async () => {
  const at = await terminal(60);
  const { code, out } = await at.wizard('MONTHLY1', [steps.payment, '\u0003']);
  expect({ code, writes: at.writes() }).toEqual({ code: 130, writes: [] });
  const lines = stripVTControlCharacters(out).replaceAll('\r', '').split('\n');
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}MONTHLY1-B002 .* not refundable:$/));
  expect(lines).toContain('    too old  rebill');
  const choices = lines.slice(lines.findIndex((line) => line.includes('Which payment')));
  expect(choices.join('\n')).not.toContain('…');
  expect(Math.max(...choices.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(choices.join(' ').replaceAll(/\s+/g, ' ')).toMatch(
    /MONTHLY1 2025-\d\d-\d\d 29\.00 USD not refundable: too old sale/,
  );
});
