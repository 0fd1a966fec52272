/** The words that can follow `cb`, apart from aliases, in the order of the help. */
const names = [
  ...(['today', 'summary', 'check', 'find', 'export', 'orders', 'tickets', 'products'] as const),
  ...(['quickstats', 'ship', 'analytics', 'replies', 'sync', 'sql', 'metrics', 'api'] as const),
  ...(['mcp', 'ins', 'sandbox', 'login', 'logout', 'whoami', 'profiles', 'approve'] as const),
  ...(['doctor', 'config', 'alias', 'completion', 'help'] as const),
];

export type CommandName = (typeof names)[number];

export const commandNames: readonly string[] = names;
