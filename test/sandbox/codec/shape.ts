/** Checks the form of a response: of JSON, and of XML by a schema. */
import { XmlDocument, type XmlElement, XsdValidator } from 'libxml2-wasm';
import { onTestFinished } from 'vitest';

/**
 * What differs from the JSON of the service: a scalar that is no text, a list of none or one, and a time or an amount of
 * another form. The names and types of the fields are those of the XML, which is written from the same values.
 */
export function faultsInJson(text: string): string[] {
  const faults: string[] = [];
  JSON.parse(text, (name, value: unknown) => {
    const isShort = Array.isArray(value) && value.length < 2;
    const isScalar = typeof value === 'number' || typeof value === 'boolean';
    const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
    const isAmount =
      /(Amount|Amt|Sales|[sS]ubValue|price|usd)$/.test(name) && /^-?[\d.]+$/.test(`${value}`);
    const isWrong =
      (isTime && !/T\d\d:\d\d:\d\d-0[78]:00$/.test(value)) ||
      (isAmount && !/^-?\d+\.\d\d$/.test(`${value}`));
    if (isShort || isScalar || isWrong) faults.push(`${name}: ${JSON.stringify(value)}`);
    return value;
  });
  return faults;
}

/** A schema for many documents of a test. Both functions throw if a document is invalid. */
export function schemaOf(text: string) {
  const xsd = XmlDocument.fromString(text);
  const validator = XsdValidator.fromDoc(xsd);
  onTestFinished(() => {
    validator.dispose();
    xsd.dispose();
  });
  return {
    /** Validates a whole document, including its root. */
    validate(xml: string): void {
      using doc = XmlDocument.fromString(xml);
      validator.validate(doc);
    },
    /** Validates each element of a list, whose root is not in the schema; returns their number. */
    validateRows(xml: string): number {
      using doc = XmlDocument.fromString(xml);
      const rows = doc.root.find('*') as XmlElement[];
      for (const row of rows) validator.validate(row);
      return rows.length;
    },
  };
}
