/** Converts values to typed cells of a spreadsheet. A text is always a text: nothing in it can run as a formula. */
import { spreadsheetTime } from '../../dates/spreadsheet-time.ts';
import { cellText } from '../rows/cell.ts';
import type { ColumnKind } from '../rows/columns.ts';
import { isNumeral, type Value } from '../rows/rows.ts';

/** A number with its digits, or a time as the number of days since the start of 1900. */
export interface NumberCell {
  readonly digits: string;
  readonly format: NumberFormat;
}

/** `plain` shows the digits as they are, `decimal` two decimals; any other name is a currency. */
export type NumberFormat = 'plain' | 'decimal' | 'time' | 'day' | { readonly currency: string };

export type Cell = NumberCell | string | boolean | undefined;

export interface CellOptions {
  readonly kind: ColumnKind;
  /** The zone of the times. */
  readonly zone: string;
  /** Digits that identify something stay text. */
  readonly isId?: boolean;
  readonly currency?: string | undefined;
}

/** A spreadsheet calculates with 15 digits, so longer numbers stay text. */
const mostDigits = 15;

const number = /^-?\d+(?:\.\d+)?$/;

export function cellOf(value: Value, options: CellOptions): Cell {
  const { kind, zone, isId, currency } = options;
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'boolean') return value;
  const text = cellText(value);
  const isDated = typeof value === 'string' && (kind === 'time' || kind === 'day');
  if (isDated) return dateCell(text, kind, zone) ?? text;
  const isNumber = kind === 'number' || typeof value === 'number' || isNumeral(value);
  if (!isNumber || isId) return text;
  return numberCell(text, currency) ?? text;
}

function numberCell(digits: string, currency: string | undefined): NumberCell | undefined {
  const isExact = digits.replace(/\D/g, '').replace(/^0+/, '').length <= mostDigits;
  if (!number.test(digits) || !isExact) return undefined;
  if (currency !== undefined) return { digits, format: { currency } };
  return { digits, format: digits.includes('.') ? 'decimal' : 'plain' };
}

/** Days from the start of 1900 to that of 1970, by the calendar of spreadsheets. */
const epoch = 25_569;
const dayLength = 86_400_000;

/** Spreadsheets count a February 29, 1900, so that earlier days differ. */
const firstSafe = 61;

function dateCell(text: string, kind: 'time' | 'day', zone: string): NumberCell | undefined {
  const clock = /^\d{4}-\d\d-\d\d$/.test(text) ? text : spreadsheetTime(text, zone);
  // A day is the day as it was sent, whatever the zone.
  const shown = kind === 'day' ? /^\d{4}-\d\d-\d\d/.exec(text)?.[0] : clock;
  const moment = shown === undefined ? Number.NaN : Date.parse(`${shown.replace(' ', 'T')}Z`);
  const serial = moment / dayLength + epoch;
  if (Number.isNaN(serial) || serial < firstSafe) return undefined;
  const isDay = shown?.length === 'yyyy-mm-dd'.length;
  // Ten decimals are a hundred-thousandth of a second.
  return { digits: String(Number(serial.toFixed(10))), format: isDay ? 'day' : 'time' };
}
