/** The program of `npm run reference`: writes the man pages and the command reference. */
import { referenceFiles, writeGenerated } from './generated.ts';

writeGenerated(await referenceFiles());
