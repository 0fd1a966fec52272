/** Images: /1.3/images. Only the live service has them; its public documentation shows parameters and shape. */
import { boolean, choice, list, operation, required, schemaOf, text } from './operation.ts';
import * as field from './resource.ts';

const { aliased, naming, oneOf, resource } = field;

/** An image of a site, by the ID that `image` of a product takes. */
const image = resource(
  'image',
  ['imageid', 'title', 'type', 'approved'],
  {
    // The wrapper `imageList` has `id` instead.
    imageid: aliased('id', naming('image', field.integer)),
    title: field.text,
    type: oneOf('PRODUCT BANNER BANNER_BG'),
    approved: field.boolean,
  },
  { noun: 'image' },
);

export const images = {
  list: operation({
    method: 'GET',
    path: '/1.3/images/list',
    command: 'products images',
    summary: 'List the images of an account, with their IDs',
    roles: ['api_products_client'],
    params: {
      site: required(text('Account that owns the images', { names: 'account' })),
      type: choice(
        'Image type',
        { PRODUCT: 'product image', BANNER: '', BANNER_BG: 'banner background' },
        { fallback: 'all' },
      ),
      approvedOnly: boolean('Only approved images', {
        fallback: 'true',
        off: 'Also images that are not approved',
      }),
    },
    returns: list(image),
    examples: [
      'cb products images --account GREENLEAF',
      'cb products images --account GREENLEAF --type PRODUCT --no-approved-only',
    ],
  }),

  schema: schemaOf('/1.3/images/schema', 'products image-schema', 'an image'),
};
