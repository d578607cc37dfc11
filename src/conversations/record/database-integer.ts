/** A whole number as the database reads it; one beyond 64 bits is refused there (decisions 4). */
export function databaseInteger(value: number): string {
  return BigInt(value).toString();
}
