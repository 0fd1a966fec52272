/** What to do about an error of a workflow, by `WorkflowError.code`: workflows know no flags. */
export const workflowHints: Readonly<Record<string, string>> = {
  'existing-match': 'Nothing was sent. Pass --allow-duplicate to send it anyway.',
  'linked-input': 'Name the journal with --journal FILE.',
  'linked-journal': 'Remove the other names, or name another file with --journal.',
  'other-import': 'Continue as it was started, or set the old journal aside with --restart.',
  'damaged-journal': 'Move it away, or use --restart.',
  'unwritable-journal': 'Name another file with --journal.',
  'not-resumable': 'Omit --resume to start over.',
};
