/** Colors of tables and cards, only where they are asked for. */

export interface Style {
  /** Dims headings and labels. */
  readonly label: (text: string) => string;
  /** Colors a text that is exactly one of the service's statuses. */
  readonly value: (text: string) => string;
}

const statuses: Readonly<Record<'green' | 'yellow' | 'red', readonly string[]>> = {
  green: ['ACTIVE', 'APPROVED', 'COMPLETED', 'GREEN', 'REFUNDABLE'],
  yellow: ['HAS_OPEN_REFUND', 'OPEN', 'PENDING', 'REOPENED', 'SUGGESTED_REFUND_BLOCK', 'YELLOW'],
  red: [
    ...['ALREADY_REFUNDED', 'AUTHORIZATION_FAILURE', 'CANCELED', 'CGBK', 'DISAPPROVED', 'INACTIVE'],
    ...['RED', 'REFUND_BLOCKED', 'RFND', 'UNREFUNDABLE', 'VALIDATION_FAILURE'],
  ],
};

/** Uses the sixteen colors that every color terminal has. */
export async function loadStyle(color: boolean | undefined): Promise<Style> {
  if (!color) return { label: (text) => text, value: (text) => text };
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  const paints = new Map(
    (['green', 'yellow', 'red'] as const).flatMap((name) =>
      statuses[name].map((status) => [status, chalk[name]] as const),
    ),
  );
  return { label: chalk.dim, value: (text) => paints.get(text)?.(text) ?? text };
}
