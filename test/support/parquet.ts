/** Parquet files as DuckDB reads them. */
import { DuckDBInstance } from '@duckdb/node-api';

const database = DuckDBInstance.create(':memory:', { threads: '1' });

/** The rows of a query in which `?` is a file or a pattern of files. Moments and decimals are texts. */
export async function queryParquet<R = Readonly<Record<string, unknown>>>(
  files: string,
  query: string,
): Promise<R[]> {
  const connection = await (await database).connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    const source = `read_parquet('${files}', hive_partitioning = true, hive_types_autocast = false)`;
    const result = await connection.runAndReadAll(query.replaceAll('?', source));
    return result.getRowObjectsJson() as R[];
  } finally {
    connection.closeSync();
  }
}

/** The types of the columns by their names. */
export async function parquetTypes(files: string): Promise<Readonly<Record<string, unknown>>> {
  const columns = await queryParquet(files, 'DESCRIBE SELECT * FROM ?');
  return Object.fromEntries(columns.map((one) => [one.column_name, one.column_type]));
}
