/** The parts of an xlsx file that name its sheets. */
import { xmlText } from './xml-text.ts';

/** A sheet as Excel shows it: a long one continues on another. */
export interface SheetPart {
  readonly name: string;
  readonly number: number;
  /** As in `$A$1:$D$12`. */
  readonly filtered: string | undefined;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The path and the XML of each part besides the sheets. */
export function packageParts(
  sheets: readonly SheetPart[],
  styles: string,
): (readonly [path: string, xml: string])[] {
  return [
    ['xl/styles.xml', styles],
    ['xl/workbook.xml', workbookXml(sheets)],
    ['xl/_rels/workbook.xml.rels', workbookRelations(sheets)],
    ['_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']])],
    ['[Content_Types].xml', contentTypes(sheets)],
  ];
}

function workbookXml(sheets: readonly SheetPart[]): string {
  const listed = sheets.map(
    ({ name, number }, at) =>
      `<sheet name="${xmlText(name)}" sheetId="${number}" r:id="rId${at + 1}"/>`,
  );
  const filters = sheets.flatMap(({ name, filtered }, at) => {
    if (filtered === undefined) return [];
    const quoted = xmlText(`'${name.replaceAll("'", "''")}'`);
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">${quoted}!${filtered}</definedName>`;
  });
  const names = filters.length > 0 ? `<definedNames>${filters.join('')}</definedNames>` : '';
  return [
    `${declaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}">`,
    `<sheets>${listed.join('')}</sheets>`,
    `${names}</workbook>`,
  ].join('');
}

function workbookRelations(sheets: readonly SheetPart[]): string {
  return relations([
    ...sheets.map(({ number }) => ['worksheet', `worksheets/sheet${number}.xml`] as const),
    ['styles', 'styles.xml'],
  ]);
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const lines = targets.map(
    ([type, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `${declaration}<Relationships xmlns="${packages}/relationships">${lines.join('')}</Relationships>`;
}

function contentTypes(sheets: readonly SheetPart[]): string {
  const part = (path: string, type: string) =>
    `<Override PartName="/xl/${path}.xml" ContentType="${types}.${type}+xml"/>`;
  return [
    `${declaration}<Types xmlns="${packages}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    part('workbook', 'sheet.main'),
    part('styles', 'styles'),
    ...sheets.map(({ number }) => part(`worksheets/sheet${number}`, 'worksheet')),
    '</Types>',
  ].join('');
}
