import type { Request } from 'express';
import { RequestNote } from '../../telemetry';
import type { AuditedOperation } from './audited-operations';
import type { Target } from './target';

/** A call whose row is written with what it changes. */
export class AuditedCall {
  /** Null when the response has been sent: what goes on after it is no part of the call. */
  private request: Request | null;
  /** The transaction that has, or will have, its row. */
  private writtenIn: object | null = null;
  private isCommitted = false;

  constructor(
    readonly operation: AuditedOperation,
    request: Request,
  ) {
    this.request = request;
  }

  /** Whether its change is committed, with the row. */
  get hasRow(): boolean {
    return this.isCommitted;
  }

  /**
   * Has a transaction take the row along.
   * @returns the request; null where another one does, or the call is over
   */
  begin(transaction: object): Request | null {
    if (this.request === null || this.writtenIn !== null) return null;
    this.writtenIn = transaction;
    return this.request;
  }

  /** A transaction was committed. */
  committed(transaction: object): void {
    if (this.writtenIn === transaction) this.isCommitted = true;
  }

  /** A transaction has no row, or none any more: the next one may take it along. */
  giveUp(transaction: object): void {
    if (this.writtenIn === transaction && !this.isCommitted) this.writtenIn = null;
  }

  /** The response has been sent. */
  close(): void {
    this.request = null;
  }
}

/** The call of the request under way. */
export const auditedCall = new RequestNote<AuditedCall>();

/** A target that the path of a request does not name. */
export const notedTarget = new RequestNote<Target>();

/** Who a request turned out to be of, whose route knows nobody: somebody who signs in, or has sent a form. */
export interface NotedActor {
  readonly userId: string;
  /** The organization in which they do it; null where that is not known. */
  readonly orgId: string | null;
  /** Whether a browser that is signed in sent it. */
  readonly session: boolean;
}

export const notedActor = new RequestNote<NotedActor>();

/** Something of other people that a request reads, and in which organization. */
export interface ReadOfOthers extends Target {
  readonly orgId: string;
}

export const readOfOthers = new RequestNote<ReadOfOthers>();

/** Notes what the request under way has made, where its path does not name it. */
export function noteTarget(type: string, id: string): void {
  notedTarget.set({ type, id });
}

/** Notes who sends the request under way, where its route knows nobody. Of two, the first one counts. */
export function noteActor(actor: NotedActor): void {
  if (notedActor.get() === undefined) notedActor.set(actor);
}

/** Notes that the request under way reads something of other people, which leaves a row as a change does. */
export function noteReadOfOthers(read: ReadOfOthers): void {
  readOfOthers.set(read);
}
