/**
 * Images: /1.3/images. The specification does not have this service; the live service does, and its public
 * documentation shows the parameters and the shape.
 */
import { boolean, choice, list, operation, required, schemaOf, text } from './operation.ts';
import * as field from './resource.ts';

const { naming, nillable, oneOf, resource } = field;

/** An image of a site, by the ID that `image` of a product takes. */
const image = resource(
  'image',
  ['imageid', 'title', 'type', 'approved'],
  {
    imageid: naming('image', field.integer),
    title: nillable(field.text),
    type: oneOf('PRODUCT', 'BANNER', 'BANNER_BG'),
    approved: field.boolean,
  },
  { noun: 'image' },
);

export const images = {
  list: operation({
    method: 'GET',
    path: '/1.3/images/list',
    command: 'products images',
    summary: 'List the images of a site, with the IDs that --image of products save takes',
    roles: ['api_products_client'],
    params: {
      site: required(text('Nickname of the account that owns the images', { names: 'account' })),
      type: choice(
        'Kind of image',
        {
          PRODUCT: 'image of a product',
          BANNER: 'banner',
          BANNER_BG: 'background of a banner',
        },
        { fallback: 'all kinds' },
      ),
      approvedOnly: boolean('Only approved images', { fallback: 'true' }),
    },
    returns: list(image),
    examples: [
      'cb products images --site GREENLEAF',
      'cb products images --site GREENLEAF --type PRODUCT --no-approved-only',
    ],
  }),

  schema: schemaOf('/1.3/images/schema', 'products image-schema', 'an image'),
};
