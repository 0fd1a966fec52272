/** Reads the figures of a report from quickstats: those of its days and of the days before, by account. */
import type { Arguments } from '../../../operations/operation.ts';
import { quickstats } from '../../../operations/quickstats.ts';
import type { Stat } from '../../../output/report/figures.ts';
import type { Row } from '../../../output/rows/rows.ts';
import type { Plan } from '../../../workflows/earnings/comparison.ts';
import { type Account, serviceOf } from '../../lists/accounts.ts';

const { list } = quickstats;

export interface Answer {
  readonly account: Account;
  readonly rows: readonly Row[];
  /** The figures of the days before. */
  readonly previous: readonly Row[];
}

export async function readFigures(
  account: Account,
  args: Arguments,
  { before }: Plan,
): Promise<Omit<Answer, 'account'>> {
  const call = async (days: object) => {
    const rows = await account.api.call(list, { ...args, ...days }, { numbers: 'exact' });
    return rows as readonly Row[];
  };
  const { first: startDate, last: endDate } = before ?? { first: '', last: '' };
  const [rows, previous] = await Promise.all([
    call({}),
    before ? call({ startDate, endDate }) : [],
  ]);
  return { rows, previous };
}

/** The accounts by the key that shows them; an account that several keys may read counts once. */
export interface Names {
  readonly all: readonly string[];
  /** Undefined if the figures of the account come from another key. */
  nameFor(account: Account, nickname: unknown): string | undefined;
  /** The nicknames of all accounts of the same service. */
  nicknamesBeside(account: Account): string[];
}

interface Seen {
  readonly from: Account;
  readonly nickname: string;
  readonly name: string;
}

export function namesOf(read: readonly Answer[]): Names {
  const seen = new Map<string, Seen>();
  for (const { account, rows, previous } of read) {
    for (const { nickName } of [...rows, ...previous]) {
      const key = keyOf(account, nickName);
      const isTaken = [...seen.values()].some(({ name }) => name === nickName);
      const nickname = String(nickName ?? '');
      const name = isTaken ? `${nickName} (${account.profile})` : nickname;
      if (!seen.has(key)) seen.set(key, { from: account, nickname, name });
    }
  }
  return {
    all: [...seen.values()].map(({ name }) => name),
    nameFor(account, nickname) {
      const known = seen.get(keyOf(account, nickname));
      return known?.from === account ? known.name : undefined;
    },
    nicknamesBeside(account) {
      const alike = [...seen.values()].filter(({ from }) => serviceOf(from) === serviceOf(account));
      return alike.map(({ nickname }) => nickname);
    },
  };
}

function keyOf(account: Account, nickname: unknown): string {
  return `${serviceOf(account)} ${nickname}`;
}

export function statsOf(
  read: readonly Answer[],
  { nameFor }: Names,
  which: 'rows' | 'previous',
): Stat[] {
  return read.flatMap((answer) =>
    answer[which].flatMap(({ nickName, quickStats }) => {
      const name = nameFor(answer.account, nickName);
      if (name === undefined) return [];
      return ((quickStats ?? []) as readonly Row[]).map((stat) => statOf(name, stat));
    }),
  );
}

function statOf(account: string, { quickStatDate, sale, refund, chargeback }: Row): Stat {
  const amount = (value: unknown) => String(value ?? '0');
  return {
    account,
    day: String(quickStatDate ?? '').slice(0, 'yyyy-mm-dd'.length),
    sale: amount(sale),
    refund: amount(refund),
    chargeback: amount(chargeback),
  };
}
