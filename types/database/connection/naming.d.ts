import { DefaultNamingStrategy } from 'typeorm';
/** Maps camelCase properties to snake_case columns. */
export declare class SnakeCaseNaming extends DefaultNamingStrategy {
    columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string;
    relationName(propertyName: string): string;
    joinColumnName(relationName: string, referencedColumnName: string): string;
}
