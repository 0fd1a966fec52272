/** The program behind `npm run completions`: writes the scripts of completions/. */
import { completionFiles } from './generated.ts';
import { writeGenerated } from './write-generated.ts';

writeGenerated(completionFiles());
