/** The images of a site, and a product that shows one of them. */
import { expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';

const SAVE =
  "--site GREENLEAF --currency USD --price 19.00 --language EN --title 'A new guide' --digital --categories EBOOK --thank-you-page https://a.example/thanks --pitch-page https://a.example/pitch --yes";

interface Image {
  readonly imageid: number;
  readonly title: string | null;
  readonly type: string;
  readonly approved: boolean;
}

test('saves a product with the ID of an image that products images lists', async () => {
  const { cb } = await sandboxHome(60);
  const listed = await cb('--sandbox products images --site GREENLEAF --type PRODUCT -o json');
  expect(listed).toMatchObject({ code: 0, err: '' });
  const images: Image[] = JSON.parse(listed.out);
  expect(images.length).toBeGreaterThan(3);
  for (const image of images) expect(image).toMatchObject({ type: 'PRODUCT', approved: true });
  const chosen = images.find(({ title }) => title === 'New cover');
  const saved = await cb(`--sandbox products save NEW-01 ${SAVE} --image ${chosen?.imageid}`);
  expect(saved).toMatchObject({ code: 0, out: 'NEW-01\n' });
  const shown = await cb('--sandbox products get NEW-01 --site GREENLEAF -o json');
  expect(JSON.parse(shown.out).image).toMatchObject({ id: chosen?.imageid, title: 'New cover' });
});

test('lists unapproved images with --no-approved-only', async () => {
  const { cb } = await sandboxHome(60);
  const list = async (flags: string): Promise<Image[]> =>
    JSON.parse((await cb(`--sandbox products images --site GREENLEAF ${flags} -o json`)).out);
  const pending = (await list('--no-approved-only')).filter(({ approved }) => !approved);
  expect(pending).toHaveLength(1);
  expect((await list('')).map(({ imageid }) => imageid)).not.toContain(pending[0]?.imageid);
});

test('shows images as a table with their IDs, and prints their schema without a key', async () => {
  const { cb } = await sandboxHome(60);
  const table = await cb('--sandbox products images --site GREENLEAF', { columns: 100 });
  expect(table.out).toMatch(/Approved: true.*Image ID +Title +Type/s);
  const schema = await cb('--sandbox products image-schema');
  expect(schema.out).toContain('<xs:element name="image" type="image"/>');
});

test('refuses an image that the site does not have, with exit code 4', async () => {
  const { cb } = await sandboxHome(60);
  const saved = await cb(`--sandbox products save NEW-01 ${SAVE} --image 1`);
  expect(saved).toMatchObject({ code: 4, out: '' });
  expect(saved.err).toContain('The parameter image must be the ID of a product image of the site');
});

test('lists images of either wrapper with the ID in imageid', async () => {
  const wrapped = {
    imageList: { images: [{ id: '9501', title: 'New cover', type: 'PRODUCT', approved: 'true' }] },
    total_record_count: 1,
  };
  const [image] = wrapped.imageList.images;
  const several = [image, { ...image, id: '9502', title: 'Old' }];
  const bodies = [
    wrapped,
    { ...wrapped, imageList: { images: image } },
    { ...wrapped, imageList: { images: several }, total_record_count: '2' },
    { image: [{ imageid: '9501', title: 'New cover', type: 'PRODUCT', approved: 'true' }] },
  ];
  for (const body of bodies) {
    const { env } = await serve((reply) => reply.end(JSON.stringify(body)));
    const listed = await home().cb('products images --site GREENLEAF -o csv', { env });
    expect(listed).toMatchObject({ code: 0, err: '' });
    expect(listed.out.split('\n').slice(0, 2)).toEqual([
      'imageid,title,type,approved',
      '9501,New cover,PRODUCT,true',
    ]);
  }
});

test('reads all pages of images, and ends with exit code 8 if some are missing', async () => {
  const page = (id: number) =>
    JSON.stringify({ imageList: { images: [{ id, title: `No. ${id}` }] }, total_record_count: 2 });
  const paged = await serve((reply, _, { headers }) => {
    reply.writeHead(headers.page === '1' ? 206 : 200).end(page(Number(headers.page)));
  });
  const line = 'products images --site GREENLEAF -o ndjson --fields imageid';
  const all = await home().cb(line, { env: paged.env });
  expect(all).toMatchObject({ code: 0, out: '{"imageid":1}\n{"imageid":2}\n' });
  const cut = await serve((reply) => reply.end(page(1)));
  expect(await home().cb(line, { env: cut.env })).toMatchObject({ code: 8 });
});
