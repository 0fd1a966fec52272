/** XML output: bodies as received, joined to one document. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { OutputError } from '../../src/output/errors.ts';
import { open } from '../../src/output/xml.ts';

/** What a command writes: each page as it arrives, and the end, also after an error. */
function* written(bodies: readonly string[]): Generator<string> {
  const { add, end } = open();
  try {
    for (const body of bodies) yield String(add([], body));
  } catch (error) {
    yield* end(true) as string[];
    throw error;
  }
  yield* end(false) as string[];
}

/** Without the line feed at the end. */
function join(...bodies: readonly string[]): string {
  const text = [...written(bodies)].join('');
  expect(text).toMatch(/\n$/);
  return text.slice(0, -1);
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

describe('-o xml', () => {
  test('prints a single body unchanged, whatever it is', () => {
    const bodies = [
      `${declaration}\n<orders a="1"><o>x</o><!-- </orders> --></orders>\n`,
      ...['<orders/>', 'null', '', 'Invalid API key', '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'],
    ];
    for (const body of bodies) expect(join(body)).toBe(body);
  });

  test('joins pages into one document with the text of the rows as received', () => {
    const text = join(
      `${declaration}<orders><o>a &amp; b</o></orders>\n`,
      `${declaration}\n<orders>\n  <o><![CDATA[</orders>]]></o>\n</orders>`,
      '<orders><o v="a>b"/></orders>',
    );
    const rows = '<o>a &amp; b</o>\n  <o><![CDATA[</orders>]]></o>\n<o v="a>b"/>';
    expect(text).toBe(`${declaration}<orders>${rows}</orders>\n`);
    expect(XMLValidator.validate(text)).toBe(true);
  });

  test('adds nothing for empty pages', () => {
    const one = join('null', '<orders/>', '<orders><o/></orders>', '', '<orders />', 'null');
    expect(one).toBe('<orders><o/></orders>');
    expect(join('null', '<orders/>', '')).toBe('<orders/>');
    expect(join('null', 'null')).toBe('null');
    expect(join()).toBe('');
  });

  test('keeps the namespaces that only a later page declares', () => {
    const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
    const more = `<p xsi:nil="true"/></o><o ${xsi}/><!-- <o> --></orders>`;
    const text = join('<orders><o/></orders>', `<orders ${xsi}><o>${more}`);
    expect(text).toBe(`<orders><o/><o ${xsi}>${more}`);
    const other = join('<r xmlns="urn:a"><o/></r>', '<r><o/></r>');
    expect(other).toBe('<r xmlns="urn:a"><o/><o xmlns=""/></r>');
    expect(new XMLParser().parse(text).orders.o).toHaveLength(3);
  });

  test('writes each page as soon as it arrives', () => {
    const chunks = written(['<r><a/></r>', '<r><b/></r>']);
    expect(chunks.next().value).toBe('<r><a/>');
    expect(chunks.next().value).toBe('<b/>');
    expect(chunks.next().value).toBe('</r>');
  });

  test.each([
    [['<r><a/></r>', '<error/>'], '<r><a/></r>'],
    [['<r><a/></r>', '<r><a></r>'], '<r><a/></r>'],
    [['<r><a/></r>', 'Service unavailable'], '<r><a/></r>'],
    [['Service unavailable', '<r><a/></r>'], ''],
    [['<q/>', '<r><a/></r>'], ''],
    [['<q/>', '<r/>'], ''],
  ])('throws for %j, which are not one document, and closes what it wrote', (bodies, shown) => {
    let text = '';
    const reading = () => {
      for (const chunk of written(bodies)) text += chunk;
    };
    expect(reading).toThrow(OutputError);
    expect(text).toBe(shown);
  });
});
