/** The images service, which the live service has and the specification does not mention. */
import { images } from '../../operations/images.ts';
import { requireAccount } from '../request/access.ts';
import type { Handlers } from '../request/handlers.ts';
import { assertFacts } from '../request/param-facts.ts';
import { findImages } from '../store/products/image.ts';

export const imagesHandlers: Handlers<typeof images> = {
  list({ db }, { args }, { caller }) {
    assertFacts(images.list.params, args);
    const { site, type, approvedOnly = true } = args;
    return findImages(db, requireAccount(caller, site), type)
      .filter(({ approved }) => approved === 1 || !approvedOnly)
      .map((image) => ({ ...image, imageid: image.id }));
  },

  schema: () => images.list.returns.resource,
};
