/**
 * The path of the service below which it passes requests to the agent server of a sandbox (docs/sandboxes.md#the-door);
 * what the agent server answers at `/health` is at this path and `/health`.
 */
export function doorPath(sandboxId: string): string {
  return `/api/v1/sandboxes/${sandboxId}/agent-server`;
}
