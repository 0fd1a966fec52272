/** `cb ins listen --ui`: the inspector page of a listener. */
import { type Inspector, startInspector } from '../../../ins/inspector/inspector.ts';
import type { Journal } from '../../../ins/journal/journal.ts';
import { wholeNumber } from '../../flags/flags.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { exitCodes } from '../../runtime/exit-codes.ts';
import { Failure } from '../../runtime/failure.ts';
import type { NamedDestination } from './destinations.ts';
import { sendNow } from './resend.ts';

export interface Inspected {
  readonly journal: Journal;
  readonly destinations: readonly NamedDestination[];
  /** The port of the listener. */
  readonly port: number;
}

/** `ui` is the option without its port, or the port as typed. */
export function uiPortFrom(ui: string | boolean | undefined): number | undefined {
  if (ui === undefined || ui === false) return undefined;
  return ui === true ? 0 : wholeNumber('--ui', ui, 0, 65_535);
}

/** Opens the page on a port and prints its address. Throws a Failure if the port can't be used. */
export async function openInspector(
  cmd: CommandContext,
  uiPort: number,
  { journal, destinations, port }: Inspected,
): Promise<Inspector> {
  const inspector = await startInspector({
    port: uiPort,
    database: journal.database,
    receiver: `http://127.0.0.1:${port}`,
    destinations: destinations.map(({ label }) => label),
    async resend(id) {
      const results = [];
      for (const to of destinations) {
        const { isDone, text } = await sendNow(cmd, journal, id, to);
        results.push({ to: to.label, isDone, result: text });
      }
      return results;
    },
  }).catch((cause: NodeJS.ErrnoException) => {
    throw new Failure(exitCodes.network, `Port ${uiPort} can't be used (${cause.code}).`, {
      hint: 'Choose another port with --ui, or none for any free one.',
      cause,
    });
  });
  cmd.messages.say(`Inspector: ${inspector.url}`);
  return inspector;
}
