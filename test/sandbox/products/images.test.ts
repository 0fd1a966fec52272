/** The images of a site, which the live service has beyond the specification. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { NEW_PRODUCT } from '../good-request.ts';
import { ask, getJson, keyed, type RawResponse, test } from '../raw.ts';

const LIST = '/rest/1.3/images/list?site=GREENLEAF';

type Json = Readonly<Record<string, unknown>>;

function imagesIn(response: RawResponse): Json[] {
  const body = JSON.parse(response.text) as { image: Json | Json[] } | null;
  return body === null ? [] : [body.image].flat();
}

async function idsOf(sandbox: Sandbox, query: string): Promise<unknown[]> {
  return imagesIn(await getJson(sandbox, `${LIST}${query}`)).map(({ imageid }) => imageid);
}

test('lists the approved images of a site, or all of them, by type', async ({ sandbox }) => {
  const all = imagesIn(await getJson(sandbox, `${LIST}&approvedOnly=false`));
  const idsWhere = (keep: (image: Json) => boolean) =>
    all.filter(keep).map(({ imageid }) => imageid);
  const approved = idsWhere(({ approved }) => approved === 'true');
  expect(await idsOf(sandbox, '')).toEqual(approved);
  expect(await idsOf(sandbox, '&approvedOnly=true')).toEqual(approved);
  expect(approved.length).toBeLessThan(all.length);
  for (const type of ['PRODUCT', 'BANNER', 'BANNER_BG']) {
    const ids = idsWhere((image) => image.type === type);
    expect(ids.length).toBeGreaterThan(0);
    expect(await idsOf(sandbox, `&approvedOnly=false&type=${type}`)).toEqual(ids);
  }
});

test('lists only the images of the requested site of the key', async ({ sandbox }) => {
  const greenleaf = await idsOf(sandbox, '');
  const fitlab = imagesIn(await getJson(sandbox, '/rest/1.3/images/list?site=fitlab24'));
  expect(fitlab.length).toBeGreaterThan(0);
  expect(fitlab.filter(({ imageid }) => greenleaf.includes(imageid))).toEqual([]);
  const path = '/rest/1.3/images/list?site=FITLAB24';
  expect((await getJson(sandbox, path, keyed(sandbox, 'vendor'))).status).toBe(403);
});

test("accepts only product images of the product's site", async ({ sandbox }) => {
  const save = (image: unknown) =>
    ask(sandbox, 'PUT', `/rest/1.3/products/NEW-01?${NEW_PRODUCT}&image=${image}`);
  for (const [type, other] of [
    ['PRODUCT', 'FITLAB24'],
    ['BANNER', 'GREENLEAF'],
  ]) {
    const path = `/rest/1.3/images/list?site=${other}&type=${type}`;
    const [image] = imagesIn(await getJson(sandbox, path));
    const refused = await save(image?.imageid);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('image')]);
  }
  expect((await save('1')).status).toBe(400);
  const [pending] = imagesIn(
    await getJson(sandbox, `${LIST}&type=PRODUCT&approvedOnly=false`),
  ).filter(({ approved }) => approved === 'false');
  expect((await save(pending?.imageid)).status).toBe(201);
  const product = await getJson(sandbox, '/rest/1.3/products/NEW-01?site=GREENLEAF');
  expect(JSON.parse(product.text).image).toEqual({
    id: pending?.imageid,
    title: pending?.title,
    type: 'PRODUCT',
    approved: 'false',
  });
});
