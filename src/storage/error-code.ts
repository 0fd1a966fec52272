/** The errors of the system, by code. */

/** The code of a system error, such as `ENOENT`; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

export function isFullDisk(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** The code for a message, as in `EACCES` or `ENOSPC: the disk is full`. */
export function shownCode(error: unknown): string {
  const code = codeOf(error) ?? 'unknown reason';
  return isFullDisk(error) ? `${code}: the disk is full` : code;
}
