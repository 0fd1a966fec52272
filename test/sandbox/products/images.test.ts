/** The images of a site, which the live service has beyond the specification; test/e2e/writes/images.test.ts lists them. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { NEW_PRODUCT } from '../good-request.ts';
import { expectAnswers, getJson, rowsIn, test } from '../raw.ts';

const imagesOf = async (sandbox: Sandbox, query: string) =>
  rowsIn(await getJson(sandbox, `/rest/1.3/images/list?${query}`));

test("accepts only product images of the product's site", async ({ sandbox }) => {
  const [foreign] = await imagesOf(sandbox, 'site=FITLAB24&type=PRODUCT');
  const [banner] = await imagesOf(sandbox, 'site=GREENLEAF&type=BANNER');
  const [pending] = (
    await imagesOf(sandbox, 'site=GREENLEAF&type=PRODUCT&approvedOnly=false')
  ).filter(({ approved }) => approved === 'false');
  const save = `PUT products/NEW-01?${NEW_PRODUCT}&image=`;
  await expectAnswers(
    sandbox,
    `vendor: GET images/list?site=FITLAB24 403
    ${save}${foreign?.imageid} 400 image
    ${save}${banner?.imageid} 400 image
    ${save}${pending?.imageid} 201`,
  );
  const product = await getJson(sandbox, '/rest/1.3/products/NEW-01?site=GREENLEAF');
  expect(JSON.parse(product.text).image).toEqual({
    ...{ id: pending?.imageid, title: pending?.title, type: 'PRODUCT', approved: 'false' },
  });
});
