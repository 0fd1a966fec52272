/** `npm run picture`: writes the picture that the README shows. */
import { writeFileSync } from 'node:fs';
import { pictureFile, sessionPicture } from './session-picture.ts';

writeFileSync(process.argv[2] ?? pictureFile, await sessionPicture());
