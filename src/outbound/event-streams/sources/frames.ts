import { inOneLine } from '../../../kernel/common';

/** Why the service ends a stream; those in `RESUMABLE` are worth a new request. */
export type EndReason =
  | 'conversation_deleted'
  | 'credential_ended'
  | 'membership_lost'
  | 'permission_lost'
  | 'reader_too_slow'
  | 'service_stopping'
  | 'interrupted';

const RESUMABLE: ReadonlySet<EndReason> = new Set(['reader_too_slow', 'service_stopping', 'interrupted']);

/** Clients of one replica come back within this time, and not all at once. */
const RETRY_MS = 1_000;
const RETRY_JITTER_MS = 4_000;

/** The first frame: the position for a client that is disconnected before the first event. */
export function beginFrame(position: number): string {
  return `retry: ${retryMs()}\nid: ${position}\n\n`;
}

/** An event on one line: a line break would split the frame. */
export function eventFrame(position: number, json: string): string {
  return `id: ${position}\ndata: ${inOneLine(json)}\n\n`;
}

/** A transient event, which has no position to resume from. */
export function transientFrame(json: string): string {
  return `data: ${inOneLine(json)}\n\n`;
}

/** What the service sends beside events: it has the position of the last one. */
export function newsFrame(kind: string, json: string): string {
  return `event: ${kind}\ndata: ${inOneLine(json)}\n\n`;
}

/** Begins a frame that leaves the position as it is. */
export function atPosition(position: number, frame: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`id: ${position}\n`), frame]);
}

/** Events that were asked for and are gone, from one position to another. */
export function gapFrame(from: number, to: number): string {
  return `id: ${to}\nevent: gap\ndata: ${JSON.stringify({ from, to })}\n\n`;
}

/** @param position to resume from from now on; null for the one that is known */
export function heartbeatFrame(position: number | null): string {
  return position === null ? ': heartbeat\n\n' : `: heartbeat\nid: ${position}\n\n`;
}

/** The last frame. */
export function endFrame(reason: EndReason): string {
  const resumable = RESUMABLE.has(reason);
  const retry = resumable ? `retry: ${retryMs()}\n` : '';
  return `${retry}event: end\ndata: ${JSON.stringify({ reason, resumable })}\n\n`;
}

function retryMs(): number {
  return RETRY_MS + Math.floor(Math.random() * RETRY_JITTER_MS);
}
