/** Colour, only where it was asked for: the terminal itself is never looked at. */

export interface Style {
  readonly header: (text: string) => string;
  readonly label: (text: string) => string;
  /** Colours a text that is exactly one of the service's statuses. */
  readonly value: (text: string) => string;
}

const same = (text: string) => text;

const colorless: Style = { header: same, label: same, value: same };

const statuses: Readonly<Record<'green' | 'yellow' | 'red', readonly string[]>> = {
  green: ['ACTIVE', 'APPROVED', 'COMPLETED', 'GREEN', 'REFUNDABLE'],
  yellow: ['HAS_OPEN_REFUND', 'OPEN', 'PENDING', 'REOPENED', 'SUGGESTED_REFUND_BLOCK', 'YELLOW'],
  red: [
    ...['ALREADY_REFUNDED', 'AUTHORIZATION_FAILURE', 'CANCELED', 'CGBK', 'DISAPPROVED', 'INACTIVE'],
    ...['RED', 'REFUND_BLOCKED', 'RFND', 'UNREFUNDABLE', 'VALIDATION_FAILURE'],
  ],
};

/** Sixteen colours, which every terminal that has any can show. */
export async function loadStyle(color: boolean | undefined): Promise<Style> {
  if (!color) return colorless;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  const paints = new Map(
    (['green', 'yellow', 'red'] as const).flatMap((name) =>
      statuses[name].map((status) => [status, chalk[name]] as const),
    ),
  );
  return { header: chalk.dim, label: chalk.dim, value: (text) => paints.get(text)?.(text) ?? text };
}
