/** The number formats of a workbook. */
import type { NumberFormat } from './cell.ts';

export interface Styles {
  idOf(format: NumberFormat): number;
  xml(): string;
}

/** Indexes of `cellXfs`; currencies follow. */
export const styleIds = { plain: 0, header: 1, text: 2, time: 3, day: 4, decimal: 5 } as const;

const firstCurrency = 6;

/** Excel accepts about 200 formats of its user. */
const mostCurrencies = 150;

/** Number formats from 164 on are the user's. */
const ownFormats = { time: 164, day: 165, currencies: 166 };

export function openStyles(): Styles {
  const currencies = new Map<string, number>();
  const currencyId = (code: string): number => {
    const known = currencies.get(code);
    if (known !== undefined) return known;
    if (!/^[A-Z]{3}$/.test(code) || currencies.size >= mostCurrencies) return styleIds.decimal;
    const id = firstCurrency + currencies.size;
    currencies.set(code, id);
    return id;
  };
  return {
    idOf: (format) => (typeof format === 'string' ? styleIds[format] : currencyId(format.currency)),
    xml: () => stylesXml([...currencies.keys()]),
  };
}

function stylesXml(currencies: readonly string[]): string {
  const formats = [
    numberFormat(ownFormats.time, 'yyyy\\-mm\\-dd\\ hh:mm:ss'),
    numberFormat(ownFormats.day, 'yyyy\\-mm\\-dd'),
    ...currencies.map((code, at) =>
      numberFormat(ownFormats.currencies + at, `#,##0.00\\ [$${code}]`),
    ),
  ];
  const styles = [
    ...[style(0), style(0, 1), style(49), style(ownFormats.time), style(ownFormats.day), style(4)],
    ...currencies.map((_, at) => style(ownFormats.currencies + at)),
  ];
  const font = '<sz val="11"/><name val="Calibri"/>';
  const fill = (pattern: string) => `<fill><patternFill patternType="${pattern}"/></fill>`;
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
    `<numFmts count="${formats.length}">${formats.join('')}</numFmts>`,
    `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>`,
    `<fills count="2">${fill('none')}${fill('gray125')}</fills>`,
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${styles.length}">${styles.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
    '</styleSheet>',
  ].join('');
}

function numberFormat(id: number, code: string): string {
  return `<numFmt numFmtId="${id}" formatCode="${code}"/>`;
}

function style(format: number, font = 0): string {
  const applied = `applyNumberFormat="1"${font ? ' applyFont="1"' : ''}`;
  return `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" ${applied}/>`;
}
