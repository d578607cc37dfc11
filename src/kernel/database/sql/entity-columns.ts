import { getMetadataArgsStorage } from 'typeorm';
import { SnakeCaseNaming } from '../connection/data-source';

/**
 * The columns of an entity for a statement written by hand, each under the name of its property: a row is of the
 * entity's own type, and a new column is declared once.
 * @param alias what the statement calls the table
 * @param except properties that are not read; columns with `select: false` never are
 */
export function columnsOf<Entity extends object>(
  entity: new () => Entity,
  alias: string,
  except: readonly (keyof Entity & string)[],
): string {
  const naming = new SnakeCaseNaming();
  const left: readonly string[] = except;
  return getMetadataArgsStorage()
    .filterColumns(entity)
    .filter(({ propertyName, options }) => options.select !== false && !left.includes(propertyName))
    .map(
      ({ propertyName, options }) =>
        `${alias}.${naming.columnName(propertyName, options.name, [])} AS "${propertyName}"`,
    )
    .join(', ');
}
