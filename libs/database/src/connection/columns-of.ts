import { COLUMNS } from '../generated/rows';

type ModelName = keyof typeof COLUMNS;

/**
 * The SELECT list of a model's row under the names that the client gives its fields: all, or those of `select`, which
 * the client takes too. So one mapping serves what either reads, except for BigInt, Decimal and Bytes, which the driver
 * reads as text and Buffer. `of`: the alias of the table.
 */
export function columnsOf<M extends ModelName>(
  model: M,
  { select, of }: { select?: Partial<Record<keyof (typeof COLUMNS)[M], true>>; of?: string } = {},
): string {
  const place = of === undefined ? '' : `${of}.`;
  return Object.entries<string>(COLUMNS[model])
    .filter(([field]) => select === undefined || field in select)
    .map(([field, column]) => (field === column ? `${place}${column}` : `${place}${column} AS "${field}"`))
    .join(', ');
}
