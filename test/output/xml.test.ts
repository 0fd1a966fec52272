/** XML output: bodies as received, joined to one document. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { UnjoinableXml } from '../../src/output/errors.ts';
import { writeBodies } from '../../src/output/xml.ts';
import { joined } from './support.ts';

async function* from(bodies: readonly string[]): AsyncGenerator<string> {
  yield* bodies;
}

function join(...bodies: readonly string[]): Promise<string> {
  return joined(writeBodies(from(bodies)));
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

describe('-o xml', () => {
  test('prints a single body unchanged, whatever it is', async () => {
    const bodies = [
      `${declaration}\n<orders a="1"><o>x</o><!-- </orders> --></orders>\n`,
      '<orders/>',
      'null',
      '',
      'Invalid API key',
      '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>',
    ];
    for (const body of bodies) expect(await join(body)).toBe(body);
  });

  test('joins pages into one document with the text of the rows as received', async () => {
    const text = await join(
      `${declaration}<orders><o>a &amp; b</o></orders>\n`,
      `${declaration}\n<orders>\n  <o><![CDATA[</orders>]]></o>\n</orders>`,
      '<orders><o v="a>b"/></orders>',
    );
    expect(text).toBe(
      `${declaration}<orders><o>a &amp; b</o>\n  <o><![CDATA[</orders>]]></o>\n<o v="a>b"/></orders>\n`,
    );
    expect(XMLValidator.validate(text)).toBe(true);
  });

  test('adds nothing for empty pages', async () => {
    expect(await join('null', '<orders/>', '<orders><o/></orders>', '', '<orders />', 'null')).toBe(
      '<orders><o/></orders>',
    );
    expect(await join('null', '<orders/>', '')).toBe('<orders/>');
    expect(await join('null', 'null')).toBe('null');
    expect(await join()).toBe('');
  });

  test('keeps the namespaces that only a later page declares', async () => {
    const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
    const text = await join(
      '<orders><o/></orders>',
      `<orders ${xsi}><o><p xsi:nil="true"/></o><o ${xsi}/><!-- <o> --></orders>`,
    );
    expect(text).toBe(
      `<orders><o/><o ${xsi}><p xsi:nil="true"/></o><o ${xsi}/><!-- <o> --></orders>`,
    );
    expect(await join('<r xmlns="urn:a"><o/></r>', '<r><o/></r>')).toBe(
      '<r xmlns="urn:a"><o/><o xmlns=""/></r>',
    );
    expect(new XMLParser().parse(text).orders.o).toHaveLength(3);
  });

  test('writes each page as soon as it arrives', async () => {
    const chunks = writeBodies(from(['<r><a/></r>', '<r><b/></r>']));
    expect((await chunks.next()).value).toBe('<r><a/>');
    expect((await chunks.next()).value).toBe('<b/>');
    expect((await chunks.next()).value).toBe('</r>');
  });

  test.each([
    [['<r><a/></r>', '<error/>'], '<r><a/></r>'],
    [['<r><a/></r>', '<r><a></r>'], '<r><a/></r>'],
    [['<r><a/></r>', 'Service unavailable'], '<r><a/></r>'],
    [['Service unavailable', '<r><a/></r>'], ''],
    [['<q/>', '<r><a/></r>'], ''],
    [['<q/>', '<r/>'], ''],
  ])(
    'throws for %j, which are not one document, and closes what it wrote',
    async (bodies, written) => {
      let text = '';
      const reading = async () => {
        for await (const chunk of writeBodies(from(bodies))) text += chunk;
      };
      await expect(reading()).rejects.toThrow(UnjoinableXml);
      expect(text).toBe(written);
    },
  );
});
