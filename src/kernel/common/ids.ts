import { z } from 'zod';
import { randomUUID } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HEX = /^[0-9a-f]{32}$/;

/** A new random id, lower case with hyphens. */
export function newId(): string {
  return randomUUID();
}

/**
 * Reads a UUID with or without hyphens, in any case (docs/contract.md#identifiers).
 * @returns the id in lower case with hyphens, or null when the text is no UUID
 */
export function parseUuid(text: string): string | null {
  const lower = text.toLowerCase();
  if (UUID.test(lower)) return lower;
  if (!HEX.test(lower)) return null;
  return [
    lower.slice(0, 8),
    lower.slice(8, 12),
    lower.slice(12, 16),
    lower.slice(16, 20),
    lower.slice(20),
  ].join('-');
}

const LAST_SERIAL_ID = 2_147_483_647;

/**
 * Parses a serial id.
 * @returns null when no row can have this id
 */
export function serialId(text: string): number | null {
  if (!/^[0-9]{1,10}$/.test(text)) return null;
  const id = Number(text);
  return id <= LAST_SERIAL_ID ? id : null;
}

/** The 32 hexadecimal digits of a UUID, the spelling agent servers use in paths and file names. */
export function hexOf(uuid: string): string {
  return uuid.replaceAll('-', '');
}

/**
 * A UUID inside stored JSON, of any version and variant: whatever {@link parseUuid} takes from callers must
 * be readable again from a job. `z.uuid()` is stricter and would fail such a job for good.
 */
export const uuidText = z.string().transform((text, context) => {
  const id = parseUuid(text);
  if (id !== null) return id;
  context.addIssue({ code: 'custom', message: 'must be a UUID' });
  return z.NEVER;
});
