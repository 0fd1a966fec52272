/** The workbook of a month: a summary, the transactions, their items, refunds and chargebacks. */
import { order } from '../../../operations/orders.ts';
import type { Arrangement, TimeZone } from '../../../output/render-options.ts';
import type { Row } from '../../../output/rows/rows.ts';
import { type TypedColumn, typedColumns } from '../../../output/xlsx/cells.ts';
import type { Sheet } from '../../../output/xlsx/sheet.ts';
import { openWorkbook, type Workbook } from '../../../output/xlsx/workbook.ts';
import {
  kindOf,
  type Transaction,
  type TransactionKind,
} from '../../../workflows/earnings/transaction.ts';
import type { Month } from '../../../workflows/month-export/month.ts';
import type { MonthReport } from '../../../workflows/month-export/read-month.ts';
import { currencies } from '../../layouts/arranged.ts';
import { accountingLayout, itemsLayout } from '../../layouts/order-layouts.ts';
import { type Made, summaryColumns, summaryRows } from './month-summary.ts';

export interface MonthBook {
  /** Adds a page and returns the bytes that are complete. */
  add(page: readonly Transaction[]): Uint8Array[];
  finish(report: MonthReport, month: Month, made: Made): Generator<Uint8Array>;
  close(): void;
}

interface Plan {
  readonly name: string;
  readonly layout: Arrangement;
  /** Only transactions of this kind. */
  readonly kind?: TransactionKind;
}

export function openMonthBook(zone: TimeZone): MonthBook {
  const book = openWorkbook();
  const accounting = accountingLayout(order, zone.name);
  const plans: readonly Plan[] = [
    { name: 'Transactions', layout: accounting },
    { name: 'Line items', layout: itemsLayout(order, true) },
    { name: 'Refunds', layout: accounting, kind: 'refund' },
    { name: 'Chargebacks', layout: accounting, kind: 'chargeback' },
  ];
  let sheets: readonly OpenPlan[] | undefined;
  let before = 0;
  // The summary is known last and shown first.
  const opened = (page: readonly Row[]) =>
    plans.map((plan, at) => openPlan(book, plan, page, zone, at + 1));
  return {
    add(transactions) {
      const page = transactions as readonly Row[];
      sheets ??= opened(page);
      for (const sheet of sheets) sheet.add(page, before);
      before += page.length;
      return book.take();
    },
    *finish(report, month, made) {
      sheets ??= opened([]);
      const placing = { position: 0, filter: false };
      book.sheet('Summary', summaryColumns, placing).add(summaryRows(report, month, zone, made));
      yield* book.finish();
    },
    close: book.close,
  };
}

interface OpenPlan {
  add(page: readonly Row[], before: number): void;
}

function openPlan(
  book: Workbook,
  { name, layout, kind }: Plan,
  first: readonly Row[],
  zone: TimeZone,
  position: number,
): OpenPlan {
  const options = { zone, currencies };
  const columns: readonly TypedColumn[] = typedColumns(layout.rows(first), options, layout.shape);
  const sheet: Sheet = book.sheet(name, columns, { position, direct: position === 1 });
  const isOfKind = (row: Row) => kind === undefined || kindOf(row.transactionType) === kind;
  return {
    add(page, before) {
      const rows = layout.rows(page.filter(isOfKind), before);
      sheet.add(rows.map((row) => columns.map((column) => column.cell(row))));
    },
  };
}
