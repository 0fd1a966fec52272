/** Programs that cb starts find this cb under its name. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

/**
 * Returns PATH, with the folder of the program at `own` in front if the program is called `cb` and PATH lacks it or has another
 * `cb` first. Otherwise nothing changes, so that other programs of that folder do not come first.
 */
export function pathWithCb(own = '', PATH?: string): string | undefined {
  const name = basename(own);
  if (PATH === undefined || !/^cb(\.exe)?$/i.test(name)) return PATH;
  const found = PATH.split(delimiter).find((folder) => existsSync(join(folder, name)));
  const isSame = found !== undefined && realpathSync(join(found, name)) === realpathSync(own);
  return isSame ? PATH : `${dirname(own)}${delimiter}${PATH}`;
}
