/** The program of `npm run completions`: writes the scripts in completions/. */
import { completionFiles } from './generated.ts';
import { writeGenerated } from './write-generated.ts';

writeGenerated(completionFiles());
