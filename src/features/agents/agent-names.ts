/** The programs that `cb mcp install` knows. A separate file, so that help and Tab load nothing else. */
export const agentNames = [
  'claude',
  'claude-code',
  'cursor',
  'vscode',
  'windsurf',
  'gemini',
] as const;
