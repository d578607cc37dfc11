import { digestOf, isRecord, storableText, HIDDEN } from '../../../kernel/common';
import { OWN_EVENT } from '../../conversations';
import type { StoredEvent } from './stored-event';

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const PAIR = String.raw`\s*${STRING}\s*:\s*${STRING}\s*`;
const HEADERS = new RegExp(String.raw`("extra_headers"\s*:\s*\{)(${PAIR}(?:,${PAIR})*)\}`, 'g');
const VALUE = new RegExp(`(${STRING}\\s*:\\s*)${STRING}`, 'g');

/**
 * The JSON text of a state, with the values of headers of models hidden: agent servers hide other secrets of models
 * themselves, and these may be as secret.
 */
export function withHiddenHeaders(payload: string): string {
  return payload.replace(
    HEADERS,
    (_, start: string, pairs: string) => `${start}${pairs.replace(VALUE, `$1"${HIDDEN}"`)}}`,
  );
}

/** The longest id that is stored as it is; a longer one is stored as its digest. */
const MAX_ID_LENGTH = 512;
/** No call of an agent server carries as much, but its log may hold more. */
const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;
const UNKNOWN_KIND = 'Unknown';
const STATE_KIND = 'ConversationStateUpdateEvent';
const FIRST_YEAR = Date.parse('0001-01-01T00:00:00Z');
const END_OF_YEARS = Date.parse('+010000-01-01T00:00:00Z');

/** An event as an agent server gave it, ready to be stored. */
export interface ReceivedEvent {
  readonly id: string;
  readonly kind: string;
  readonly occurredAt: Date;
  /** The JSON text as it came, with headers of models hidden. */
  readonly payload: string;
  /** The parsed text, for state changes that follow from it. */
  readonly content: Readonly<Record<string, unknown>>;
}

/**
 * Reads one event of an agent server.
 * @param payload its JSON text
 * @param receivedAt replaces a time that is missing or unreadable
 * @returns null for what is no object, carries no id, or is larger than is stored (docs/contract.md#text-limits)
 */
export function readEvent(payload: string, receivedAt: Date): ReceivedEvent | null {
  if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) return null;
  const content = parseJson(payload);
  if (!isRecord(content) || typeof content.id !== 'string' || content.id === '') return null;
  return {
    id: content.id.startsWith(OWN_EVENT) ? digestId(content.id) : storedEventId(content.id),
    kind:
      typeof content.kind === 'string' ? storableText(content.kind.slice(0, MAX_ID_LENGTH)) : UNKNOWN_KIND,
    occurredAt: readTime(content.timestamp) ?? receivedAt,
    payload: content.kind === STATE_KIND ? withHiddenHeaders(payload) : payload,
    content,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How ids begin that stand for others: too long for an index, or of the service's own events and not given by it. */
export const DIGEST = 'sha256:';

/** The id an event is stored under: its own, or the digest of one that is too long for an index. */
export function storedEventId(id: string): string {
  return id.length > MAX_ID_LENGTH ? digestId(id) : storableText(id);
}

/** The id by which an agent server knows a stored event; that of one too long for an index is not told. */
export function loggedEventId({ id, payload }: StoredEvent): string {
  const content = id.startsWith(DIGEST) ? parseJson(payload) : null;
  return isRecord(content) && typeof content.id === 'string' ? storedEventId(content.id) : id;
}

function digestId(id: string): string {
  return `${DIGEST}${digestOf(id)}`;
}

/** Agent servers write local time without a zone, and run in UTC. */
function readTime(timestamp: unknown): Date | null {
  if (typeof timestamp !== 'string') return null;
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(timestamp);
  const time = new Date(hasZone ? timestamp : `${timestamp}Z`);
  // An impossible time would not fit the database either, and every event of its batch would be lost.
  return time.getTime() >= FIRST_YEAR && time.getTime() < END_OF_YEARS ? time : null;
}
