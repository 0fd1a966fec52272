/** What the words of a search can mean, and which values match them. */
import { badInput } from '../errors.ts';

/** `%` stands for any text; without it, a whole value has to match, in any case. */
export interface Query {
  /** The words, each separated by one space. */
  readonly text: string;
  readonly words: readonly string[];
  /** The words contain `%`. */
  readonly isPattern: boolean;
  /** Set if the text can be a ticket ID. */
  readonly ticketId?: string | undefined;
  /** Set if the text can be a receipt; in upper case. */
  readonly receipt?: string | undefined;
  /** What orders are searched for; none for a number or a receipt. */
  readonly filters: readonly Filter[];
}

/** A filter of the list of orders. */
export interface Filter {
  readonly by: 'email' | 'lastName';
  readonly value: string;
}

/** A search with less text would read every order. */
const leastText = 2;

/** Each word of a name adds requests: it may begin the last name. */
const mostWords = 6;

/** Throws a WorkflowError for words that would match nearly everything. */
export function readQuery(typed: readonly string[]): Query {
  const words = typed.flatMap((word) => word.normalize('NFC').split(/\s+/)).filter(Boolean);
  const text = words.join(' ');
  if ([...text.replaceAll(/[%\s]/g, '')].length < leastText) {
    throw badInput(`Invalid search '${text}'.`, {
      hint: `Use at least ${leastText} characters besides %, such as a name, an email address or a receipt.`,
    });
  }
  if (words.length > mostWords) {
    throw badInput(`A search has at most ${mostWords} words, but ${words.length} were typed.`, {
      hint: 'Search for one name, email address, receipt or ticket ID.',
    });
  }
  const isPattern = text.includes('%');
  const isOne = words.length === 1 && !isPattern;
  const receipt = isOne && isReceipt(text) ? text.toUpperCase() : undefined;
  const ticketId = isOne && /^\d{1,18}$/.test(text) ? text : undefined;
  // Names have no digits, so a receipt such as MONTHLY1 is nothing else.
  const isCode = ticketId !== undefined || (receipt !== undefined && /\d/.test(receipt));
  return { text, words, isPattern, ticketId, receipt, filters: isCode ? [] : filtersOf(words) };
}

/** Eight letters and digits, and the suffix of a rebill. A name of eight letters can be one. */
function isReceipt(text: string): boolean {
  return /^[a-z0-9]{8}(?:-B\d{3,})?$/i.test(text);
}

function filtersOf(words: readonly string[]): Filter[] {
  const [first = '', ...others] = words;
  if (others.length === 0 && first.includes('@')) return inAnyCase('email', first);
  const byAddress = others.length === 0 ? inAnyCase('email', addressPattern(first)) : [];
  return [...byAddress, ...lastNamesIn(words).flatMap((name) => inAnyCase('lastName', name))];
}

/** A word without `@` also stands for the part of an email address before it. */
function addressPattern(word: string): string {
  return word.includes('%') ? word : `${word}@%`;
}

/** A last name can have several words, and people also write it first: Van Dyke, Doe Jane. */
function lastNamesIn(words: readonly string[]): string[] {
  const endings = words.map((_, at) => words.slice(at).join(' '));
  return [...new Set([...endings, ...words.slice(0, 1)])];
}

/** ClickBank does not document whether its filters ignore case. */
function inAnyCase(by: Filter['by'], value: string): Filter[] {
  const small = value.toLowerCase();
  const title = small.replaceAll(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase());
  const forms = by === 'email' ? [small] : [title];
  const all = new Set([value, ...forms, small, value.toUpperCase()]);
  return [...all].map((form) => ({ by, value: form }));
}

/** Whether a whole value matches a text, in any case. Only `%` is a wildcard. */
function matcherOf(text: string): (value: unknown) => boolean {
  const parts = text
    .normalize('NFC')
    .split(/%+/)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`, 'isu');
  return (value) => {
    const whole = String(value ?? '')
      .normalize('NFC')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return whole !== '' && pattern.test(whole);
  };
}

export interface Person {
  readonly firstName?: unknown;
  readonly lastName?: unknown;
  readonly fullName?: unknown;
  readonly emails: readonly unknown[];
}

/** Whether the words are the email address or the name of a person. Orders and tickets use the same rule. */
export function personMatcher({ text, words, isPattern }: Query): (person: Person) => boolean {
  const matches = matcherOf(text);
  const matchesAddress = matcherOf(isPattern || text.includes('@') ? text : `${text}@%`);
  const matchesReversed = matcherOf([...words.slice(1), words[0]].join(' '));
  const isOne = words.length === 1;
  return ({ firstName, lastName, fullName, emails }) => {
    if (isOne && emails.some(matchesAddress)) return true;
    const joined = [firstName, lastName].map((name) => String(name ?? '')).join(' ');
    const names = [joined, fullName, lastName, ...(isOne ? [firstName] : [])];
    return names.some(matches) || (!isOne && [joined, fullName].some(matchesReversed));
  };
}
