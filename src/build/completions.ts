/** The program of `npm run completions`: writes the scripts in completions/. */
import { completionFiles, writeGenerated } from './generated.ts';

writeGenerated(completionFiles());
