/** The XML Schema type that a number names itself: whole ones are long, others decimal. */
export function numberType(value: unknown): 'xs:long' | 'xs:decimal' {
  return /^-?\d+$/.test(String(value)) ? 'xs:long' : 'xs:decimal';
}
