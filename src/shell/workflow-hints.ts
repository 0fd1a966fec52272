/** Hints for workflow errors, by `WorkflowError.code`. They are here because workflows know no options. */
export const workflowHints: Readonly<Record<string, string>> = {
  'existing-match': 'Nothing was sent. Pass --allow-duplicate to send it anyway.',
  'linked-input': 'Name the journal with --journal.',
  'linked-journal': 'Remove the other links, or name another file with --journal.',
  'other-import': 'Run the same command as before, or set the old journal aside with --restart.',
  'unwritable-folder': 'Nothing was sent. Set XDG_DATA_HOME to another folder.',
  'not-resumable': 'Omit --resume to start over.',
};

/** Hints for planned writes, by `WritePlan.codes`. */
const planHints: Readonly<Record<string, string>> = {
  'prorated-refund': 'Pass --no-apply-prorated-refund to prevent this refund.',
  'several-items': 'Pass --sku to name one of them.',
  return: 'Acknowledge it with cb tickets returned.',
};

export function hintsOn(codes: readonly string[]): string[] {
  return codes.flatMap((code) => planHints[code] ?? []);
}
