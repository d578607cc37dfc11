/** The message of what was thrown, for logs and for sentences of our own. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
