/**
 * How long to wait after something failed: twice as long after each failure in a row.
 * @param failures in a row before the last one
 */
export function backOff(failures: number, firstMs: number, mostMs: number): number {
  return Math.min(firstMs * 2 ** failures, mostMs);
}
