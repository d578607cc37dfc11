/**
 * A whole number as the database reads it; one beyond 64 bits is refused there
 * (docs/contract.md#values-that-cannot-be-stored).
 */
export function databaseInteger(value: number): string {
  return BigInt(value).toString();
}
