/** `npm run picture`: writes the picture of the README. */
import { writeFileSync } from 'node:fs';
import { pictureFile, sessionPicture } from './session-picture.ts';

writeFileSync(pictureFile, await sessionPicture());
