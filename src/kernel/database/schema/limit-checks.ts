import { Check } from 'typeorm';
import { SnakeCaseNaming } from '../connection/data-source';

/** A CHECK of a text column: at most so many characters (docs/contract.md#text-limits). */
export function MaxCharacters(most: number, column?: string): PropertyDecorator {
  return (target, property) => {
    const name = column ?? columnOf(property);
    Check(`${name}_length`, `char_length(${name}) <= ${most}`)(target, property);
  };
}

/** As {@link MaxCharacters}, in bytes: the size of a long text is known without reading it. */
export function MaxBytes(most: number): PropertyDecorator {
  return (target, property) => {
    const name = columnOf(property);
    Check(`${name}_bytes`, `octet_length(${name}) <= ${most}`)(target, property);
  };
}

/** As {@link MaxBytes}, of a `jsonb` column as text. */
export function MaxJsonBytes(most: number): PropertyDecorator {
  return (target, property) => {
    const name = columnOf(property);
    Check(`${name}_bytes`, `octet_length(${name}::text) <= ${most}`)(target, property);
  };
}

/** A CHECK of a text column: one of these values, or null. */
export function OneOf(values: readonly string[]): PropertyDecorator {
  return (target, property) => {
    const name = columnOf(property);
    const listed = values.map((value) => `'${value}'`).join(', ');
    Check(`${name}_known`, `${name} IN (${listed})`)(target, property);
  };
}

function columnOf(property: string | symbol): string {
  return new SnakeCaseNaming().columnName(String(property), undefined, []);
}
