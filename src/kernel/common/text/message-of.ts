/** The message of a thrown value, for logs and for sentences of our own. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
