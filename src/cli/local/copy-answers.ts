/** Opens the copy in place of the service. */
import { pacificDay, pacificTime } from '../../dates/pacific.ts';
import { countOf } from '../../decimals/decimals.ts';
import { baseUrlIn } from '../../profiles/find-service.ts';
import { factsOf } from '../../workflows/sync/database/copy.ts';
import type { SqlReader } from '../../workflows/sync/database/sql.ts';
import { accountOf, newestRead } from '../../workflows/sync/local/copied-account.ts';
import { openCopyClient } from '../../workflows/sync/local/copy-client.ts';
import type { CommandContext, CopyAnswers, Session } from '../runtime/command-context.ts';
import { keepServiceTime } from '../session/clock-difference.ts';
import { sandboxNow } from '../session/sandbox-session.ts';
import { profileNamed, sourceOf } from '../session/session.ts';
import { profilesOf } from '../session/stored-profiles.ts';
import { openReader, placeOfCopy } from '../sync/open-copy.ts';

type Asking = Parameters<CopyAnswers['now']>[0];

/** `database` is what the user typed; default: the copy of the service. */
export function copyAnswers(database: string | undefined): CopyAnswers {
  const open = async (cmd: Asking) =>
    openReader(await placeOfCopy(cmd as CommandContext, database));
  return {
    session: sessionOf,
    async now(cmd) {
      const source = await sourceOf(cmd);
      if (source.kind === 'sandbox') return sandboxNow(cmd.context);
      const copy = await open(cmd);
      try {
        return await nowAt(cmd, copy);
      } finally {
        await copy.close();
      }
    },
    async client(cmd, { profile }) {
      const copy = await open(cmd);
      try {
        const account = await accountOf(copy, profile);
        const read = (await newestRead(copy, account.account)) ?? 0;
        const now = await this.now(cmd);
        keepServiceTime(cmd.context, now);
        cmd.messages.say(ageNote(read, now.getTime()));
        const client = await openCopyClient({
          copy,
          account,
          today: pacificDay(now.getTime() / 1000),
          hasPersonalData: (await factsOf(copy))?.withoutPersonalData !== true,
        });
        return { ...client, close: () => copy.close() };
      } catch (error) {
        await copy.close();
        throw error;
      }
    },
  };
}

/** No key is read. */
async function sessionOf(cmd: CommandContext): Promise<Session> {
  const source = await sourceOf(cmd);
  if (source.kind === 'sandbox') {
    const profile = source.key === 'full' ? 'sandbox' : `sandbox:${source.key}`;
    return { profile, baseUrl: 'http://localhost', key: '' };
  }
  if (source.kind === 'environment' || source.name === undefined) {
    return { profile: undefined, baseUrl: baseUrlIn(cmd.context.env), key: '' };
  }
  const { baseUrl } = profileNamed(await profilesOf(cmd), source.name);
  return { profile: source.name, baseUrl, key: '' };
}

/** A service on this machine can be ahead of it, so the copy can be from a later day. */
async function nowAt({ context }: Asking, copy: SqlReader): Promise<Date> {
  const rows = await copy.query<{ account: string }>('SELECT account FROM sync_accounts');
  const read = await Promise.all(rows.map(({ account }) => newestRead(copy, account)));
  return new Date(Math.max(context.now().getTime(), ...read.map((time) => time ?? 0)));
}

function ageNote(read: number, now: number): string {
  if (read === 0) return 'note: The copy is empty. Run `cb sync`.';
  const time = pacificTime(Math.floor(read / 1000));
  const moment = `${time.slice(0, 10)} ${time.slice(11, 16)} Pacific time`;
  return `note: From the copy of ${moment}, ${ageText(Math.max(0, now - read))} old.`;
}

function ageText(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 120) return countOf(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? countOf(hours, 'hour') : countOf(Math.floor(hours / 24), 'day');
}
