import { STATUS_CODES } from 'node:http';

/**
 * A status as the label of a metric: itself when it has a name, or else its class, such as `5xx`. Agent servers behind
 * the door answer whatever they like, and every value is a series that stays until the process ends.
 */
export function statusLabel(status: number): string {
  return STATUS_CODES[status] === undefined ? `${Math.floor(status / 100)}xx` : String(status);
}
