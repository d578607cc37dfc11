import { parseUuid } from '../../common';

const CURSOR = /^(\d{1,15})-([0-9a-f-]{36})$/;

/** Where a page of deliveries starts: when the first one was made, and its id. */
export interface DeliveryCursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** The text of a cursor, for `page_id`: it holds though the delivery is cleaned up meanwhile. */
export function cursorText({ createdAt, id }: DeliveryCursor): string {
  return `${createdAt.getTime()}-${id}`;
}

/** Reads a `page_id`; null for a text that is none. */
export function readCursor(text: string): DeliveryCursor | null {
  const [, time, uuid = ''] = CURSOR.exec(text) ?? [];
  const id = parseUuid(uuid);
  const createdAt = new Date(Number(time));
  return id === null || Number.isNaN(createdAt.getTime()) ? null : { createdAt, id };
}
