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

/** What is wrong, by the code of the system. */
export const systemReasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
};

/** The code for a message, in words where they help, as in `EIO` or `ENOSPC: the disk is full`. */
export function shownCode(error: unknown): string {
  const code = codeOf(error) ?? 'unknown reason';
  const reason = systemReasons[code];
  return reason === undefined ? code : `${code}: ${reason}`;
}
