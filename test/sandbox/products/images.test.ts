/** The images of a site, which the live service has beyond the specification. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { NEW_PRODUCT } from '../good-request.ts';
import { expectAnswers, getJson, type Json, rowsIn, test } from '../raw.ts';

const imagesOf = async (sandbox: Sandbox, query: string) =>
  rowsIn(await getJson(sandbox, `/rest/1.3/images/list?${query}`));

test('lists the approved images of a site, or all of them, by type', async ({ sandbox }) => {
  const site = 'site=GREENLEAF';
  const all = await imagesOf(sandbox, `${site}&approvedOnly=false`);
  const approved = all.filter((image) => image.approved === 'true');
  for (const query of [site, `${site}&approvedOnly=true`]) {
    expect(await imagesOf(sandbox, query)).toEqual(approved);
  }
  expect(approved.length).toBeLessThan(all.length);
  for (const type of ['PRODUCT', 'BANNER', 'BANNER_BG']) {
    const some = all.filter((image) => image.type === type);
    expect(some.length).toBeGreaterThan(0);
    expect(await imagesOf(sandbox, `${site}&approvedOnly=false&type=${type}`)).toEqual(some);
  }
});

test('lists only the images of the requested site of the key', async ({ sandbox }) => {
  const idsOf = (images: readonly Json[]) => images.map(({ imageid }) => imageid);
  const greenleaf = idsOf(await imagesOf(sandbox, 'site=GREENLEAF'));
  const fitlab = idsOf(await imagesOf(sandbox, 'site=fitlab24'));
  expect(fitlab.length).toBeGreaterThan(0);
  expect(fitlab.filter((id) => greenleaf.includes(id))).toEqual([]);
  await expectAnswers(sandbox, 'vendor: GET images/list?site=FITLAB24 403');
});

test("accepts only product images of the product's site", async ({ sandbox }) => {
  const [foreign] = await imagesOf(sandbox, 'site=FITLAB24&type=PRODUCT');
  const [banner] = await imagesOf(sandbox, 'site=GREENLEAF&type=BANNER');
  const [pending] = (
    await imagesOf(sandbox, 'site=GREENLEAF&type=PRODUCT&approvedOnly=false')
  ).filter(({ approved }) => approved === 'false');
  const save = `PUT products/NEW-01?${NEW_PRODUCT}&image=`;
  await expectAnswers(
    sandbox,
    `${save}${foreign?.imageid} 400 image
    ${save}${banner?.imageid} 400 image
    ${save}1 400
    ${save}${pending?.imageid} 201`,
  );
  const product = await getJson(sandbox, '/rest/1.3/products/NEW-01?site=GREENLEAF');
  expect(JSON.parse(product.text).image).toEqual({
    ...{ id: pending?.imageid, title: pending?.title, type: 'PRODUCT', approved: 'false' },
  });
});
