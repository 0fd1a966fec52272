/**
 * A write with open eyes: what is there already is looked at before, and when the answer is lost the
 * service is asked what became of it. Nothing is ever sent twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../api/client.ts';
import type { Arrival } from '../api/errors.ts';
import type { Arguments, Operation, Params, Reply, Returns } from '../operations/operation.ts';
import { type Care, careOf, type Mark, type Told } from './care.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure, failureFrom } from './failure.ts';

/** An equal thing is there already. */
class AlreadyThere extends Failure {
  constructor(same: string) {
    super(exitCodes.refused, same, {
      hint: 'nothing was sent; --allow-duplicate sends it all the same',
    });
  }
}

export interface CareOptions {
  /** Send it though an equal thing is there already. */
  readonly allowDuplicate?: boolean;
}

export interface Written<R extends Returns> {
  readonly reply: Reply<R>;
  /** As received; absent when it was read back. */
  readonly body?: string;
  readonly how: 'answered' | 'read back';
}

/**
 * Looks, sends once, and reads back when the answer is lost. Throws AlreadyThere; a Failure that says
 * that it is not done and safe to repeat; or one with exit code 8 when nobody can tell.
 */
export async function writeCarefully<P extends Params, R extends Returns>(
  api: Api,
  operation: Operation<P, R>,
  args: Arguments<P>,
  { allowDuplicate = false }: CareOptions = {},
): Promise<Written<R>> {
  const care = careOf(operation as unknown as Operation);
  const seen = await care?.look(api, args as Arguments);
  if (seen?.same !== undefined && !allowDuplicate) throw new AlreadyThere(seen.same);
  try {
    return { ...(await api.ask(operation, args)), how: 'answered' };
  } catch (error) {
    if (!mayHaveArrived(error)) throw error;
    const told =
      care && seen ? await readBack(api, care, args as Arguments, seen.mark, error) : undefined;
    if (told?.done) {
      const reply = operation.returns.kind === 'nothing' ? undefined : told.reply;
      return { reply: reply as Reply<R>, how: 'read back' };
    }
    throw told ? notDone(error) : nobodyKnows(error, operation);
  }
}

/** The request may have reached the service though no answer came. */
export function mayHaveArrived(error: unknown): boolean {
  return arrivalOf(error) !== 'never';
}

function arrivalOf(error: unknown): Arrival {
  return (error as { readonly arrived?: Arrival } | undefined)?.arrived ?? 'never';
}

/** How often it is read back, and how far apart: what was cut may still be on its way. */
const readings: Readonly<Record<Arrival, { readonly times: number; readonly apart: number }>> = {
  surely: { times: 1, apart: 0 },
  perhaps: { times: 2, apart: 300 },
  later: { times: 3, apart: 1000 },
  never: { times: 0, apart: 0 },
};

/** Asks the service what became of a write; what may still arrive can't be called not done. */
export async function readBack(
  api: Api,
  care: Care,
  args: Arguments,
  mark: Mark,
  lost: unknown,
): Promise<Told> {
  const arrival = arrivalOf(lost);
  const { times, apart } = readings[arrival];
  // Whoever stopped it has stopped every other request, too.
  if ((lost as { readonly kind?: string }).kind === 'cancelled') return undefined;
  let told: Told;
  for (let i = 0; i < times; i++) {
    if (i > 0) await sleep(apart);
    told = await care.tell(api, args, mark).catch(() => undefined);
    if (told?.done) return told;
  }
  return arrival === 'later' ? undefined : told;
}

function notDone(error: unknown): Failure {
  const { code, message, status } = failureFrom(error);
  return new Failure(code, `${message}; read back: it is not done`, {
    status,
    hint: 'it is safe to repeat',
    cause: error,
  });
}

function nobodyKnows(error: unknown, { command }: Pick<Operation, 'command'>): Failure {
  const { message, status } = failureFrom(error);
  return new Failure(exitCodes.incomplete, `${message}; whether it was done is unknown`, {
    status,
    hint: `look before you repeat ${command}`,
    cause: error,
  });
}
