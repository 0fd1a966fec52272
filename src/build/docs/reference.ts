/** The program of `npm run reference`: writes the man pages and the command reference. */
import { referenceFiles } from './generated.ts';
import { writeGenerated } from './write-generated.ts';

writeGenerated(await referenceFiles());
