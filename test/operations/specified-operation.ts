/** The vocabulary of the transcribed specification: an operation as a row, a parameter as a cell. */

/** The words of a text. */
export const words = (text: string) => text.trim().split(/\s+/);

export type Type = 'string' | 'date' | 'integer' | 'decimal' | 'boolean' | 'enum';

export interface SpecifiedParam {
  readonly name: string;
  readonly where: 'path' | 'query' | 'header';
  readonly required: boolean;
  /** Undefined if the specification names no type. */
  readonly type?: Type;
  /** The complete list of allowed values. */
  readonly values?: readonly string[];
  /** The meaning of an absent parameter, in words. */
  readonly default?: string;
  readonly repeatable?: true;
  readonly wildcard?: true;
}

export interface SpecifiedOperation {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly roles: readonly string[];
  readonly params: readonly SpecifiedParam[];
  readonly isSchema: boolean;
}

type More = Omit<SpecifiedParam, 'name' | 'where' | 'required' | 'type'>;

const query =
  (required: boolean) =>
  (name: string, type?: Type, more: More = {}): SpecifiedParam => ({
    name,
    where: 'query',
    required,
    ...(type && { type }),
    ...more,
  });
export const must = query(true);
export const may = query(false);

/** Several parameters of one type, by their names in one text. */
export const mays = (names: string, type?: Type, more: More = {}): SpecifiedParam[] =>
  words(names).map((name) => may(name, type, more));

/** A path parameter; values make it an enumeration. */
export const path = (name: string, values?: readonly string[]): SpecifiedParam => ({
  ...{ name, where: 'path', required: true },
  ...(values && { type: 'enum', values }),
});

export const pageHeader: SpecifiedParam = {
  name: 'Page',
  where: 'header',
  required: false,
  type: 'integer',
  default: '1',
};

type Method = SpecifiedOperation['method'];

export const data =
  (...roles: readonly string[]) =>
  (method: Method, path: string, params: readonly SpecifiedParam[] = []): SpecifiedOperation => ({
    method,
    path,
    roles,
    params,
    isSchema: false,
  });

export const schemaAt = (path: string): SpecifiedOperation => ({
  method: 'GET',
  path,
  roles: [],
  params: [],
  isSchema: true,
});
