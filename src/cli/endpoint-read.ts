/** Running an operation that only reads. */
import type { Option } from 'commander';
import type { Api } from '../api/client.ts';
import type { Arguments, Operation } from '../operations/operation.ts';
import { askForMissing } from './ask.ts';
import { exitCodes } from './exit-codes.ts';
import { usage } from './failure.ts';
import { readArguments, type Typed } from './flags.ts';
import { withApi } from './session.ts';
import type { Shell } from './shell.ts';
import { type Layout, type Pages, showPages, showText, showValue, type View } from './show.ts';
import type { Showing } from './show-flags.ts';
import { requireShowable } from './showable.ts';

/** What one command adds to what the catalogue says of its operation. */
export interface EndpointOptions {
  /** How a table looks; rows when absent. */
  readonly layout?: Layout;
  /** How rows look that aren't shown as they come. */
  view?(args: Arguments): View;
  /** The argument that may be typed several times, or read from stdin with `-`. */
  readonly many?: string;
  /** Flags beside those of the operation. */
  readonly flags?: readonly Option[];
  /** Completes what was typed from elsewhere, such as a file. */
  fill?(shell: Shell, typed: Typed): Promise<Typed>;
  /** Runs in place of the operation, where what was typed asks for it; false where it does not. */
  instead?(shell: Shell, typed: Typed, showing: Showing): Promise<boolean>;
  /** Shows a person what a write is about to change, before it is confirmed. */
  preview?(shell: Shell, api: Api, args: Arguments): Promise<void>;
  /** What a write will really do, where that isn't what one would think: said, and asked about again. */
  warn?(api: Api, args: Arguments): Promise<string | undefined>;
  /** A no can also mean that the service would not say: throws where it does. */
  confirmNo?(api: Api, args: Arguments): Promise<void>;
  /** Command lines beside those of the catalogue, which need something that isn't there for all. */
  readonly examples?: readonly string[];
}

/** What was typed, completed by questions, and held against the rules before anything is sent. */
export async function argumentsFrom(
  shell: Shell,
  operation: Operation,
  typed: Typed,
): Promise<{ readonly args: Arguments; readonly notes: readonly string[] }> {
  const today = await shell.today();
  const first = readArguments(operation, typed, today);
  if (first.problems.length > 0) throw usage(first.problems.join('; '));
  const asked = await askForMissing(shell, operation, first.missing);
  const { args, problems, notes } = readArguments(operation, { ...typed, ...asked }, today);
  if (problems.length > 0) throw usage(problems.join('; '));
  return { args, notes };
}

export async function readEndpoint(
  shell: Shell,
  operation: Operation,
  typed: Typed,
  showing: Showing,
  options: EndpointOptions,
): Promise<void> {
  const { args, notes } = await argumentsFrom(shell, operation, typed);
  // An error stays a single line: notes come once the service has answered.
  const tellNotes = () => notes.forEach((note) => void shell.messages.say(`note: ${note}`));
  const { returns } = operation;
  const isCsv = shell.flags.wire === 'csv';
  if (isCsv && !('csv' in returns)) throw usage('--wire csv is for analytics status only');
  const wishes = {
    ...(showing.format === 'xml' && { wire: 'xml' as const }),
    ...(isCsv && { wire: 'csv' as const }),
    ...(showing.concurrency !== undefined && { concurrency: showing.concurrency }),
    asReceived: showing.format === 'raw' || isCsv,
  };
  if (returns.kind === 'pages' || returns.kind === 'list') {
    const view = options.view?.(args) ?? {
      resource: returns.resource,
      layout: options.layout ?? 'rows',
    };
    await requireShowable(showing, view.resource);
    await withApi(shell, wishes, async (api) => {
      const pages = api.pages(operation, args, {
        ...(showing.page !== undefined && { from: showing.page, expectedRows: 0 }),
        ...(showing.limit !== undefined && { expectedRows: showing.limit }),
      });
      await showPages(shell, showing, view, afterFirst(pages as Pages, tellNotes));
    });
    return;
  }
  await withApi(shell, wishes, async (api) => {
    const { reply, body } = await api.ask(operation, args);
    if (reply === false) await options.confirmNo?.(api, args);
    tellNotes();
    const asSent = showing.format === 'raw' || showing.format === 'xml' || isCsv;
    if (returns.kind === 'schema' || (asSent && body !== '')) await showText(shell, showing, body);
    else if (returns.kind === 'answer') await showAnswer(shell, showing, returns, reply === true);
    else await showValue(shell, showing, reply as number | string, shapeOf(operation));
  });
}

async function* afterFirst(pages: Pages, tell: () => void): Pages {
  let isFirst = true;
  for await (const page of pages) {
    if (isFirst) tell();
    isFirst = false;
    yield page;
  }
}

export function shapeOf({ returns }: Operation): Partial<View> {
  return 'resource' in returns ? { resource: returns.resource, layout: 'cards' } : {};
}

/** A yes or no: in words, or as `{"active": true}`; no is an exit code of its own. */
async function showAnswer(
  shell: Shell,
  showing: Showing,
  { yes, no }: { readonly yes: string; readonly no: string },
  isYes: boolean,
): Promise<void> {
  const structured = showing.format === 'json' || showing.format === 'ndjson';
  if (structured) await showValue(shell, showing, { [yes]: isYes });
  else await showText(shell, showing, isYes ? yes : no);
  if (!isYes) shell.endWith(exitCodes.no);
}
