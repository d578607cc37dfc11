import type { ClientBase } from 'pg';

/** The server process of a connection as it was told, which the driver has and its types leave out. */
export function processOf(client: ClientBase): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null;
}
