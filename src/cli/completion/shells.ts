/** The shells that there are completion scripts for. */
export const shells = {
  bash: 'bash 3.2 or newer',
  zsh: 'zsh 5 or newer',
  fish: 'fish 3 or newer',
  powershell: 'PowerShell 5 or newer',
} as const;

export type ShellName = keyof typeof shells;
