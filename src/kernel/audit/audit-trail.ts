import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '../common';
import { AuditEvents, type AuditFields } from '../domain-events';
import type { Target } from './calls/target';

/** Something that was done by no request. */
export interface AuditedDeed {
  /** `operator` for what is done at the command line, `system` for what the service does by itself, `user` for what it does for one. */
  readonly by: 'operator' | 'system' | 'user';
  /** The user who had it done. */
  readonly userId?: string | null;
  /** Null for what belongs to none. */
  readonly orgId: string | null;
  /** What was done, such as `org:create`, or `webhook.disabled`. */
  readonly action: string;
  readonly target?: Target | null;
  /** Why, in a word. */
  readonly code?: string | null;
  /** What is there before and after, where no trigger notes it. */
  readonly changes?: AuditFields['changes'];
  /** Whether what triggers have noted is left out: of what is deleted, nothing may stay. */
  readonly hidesNoted?: boolean;
  /** Whether it is no deed if the transaction has changed nothing. */
  readonly onlyIfChanged?: boolean;
}

/** Writes rows of the audit log of what is done by no request: by operators, and by the service itself (docs/audit-log.md). */
@Injectable()
export class AuditTrail {
  constructor(private readonly events: AuditEvents) {}

  /**
   * Writes a row in the transaction of a change, with what triggers have noted of it since the row before.
   * @throws Error when no transaction is active; what PostgreSQL says
   */
  async record(transaction: EntityManager, deed: AuditedDeed): Promise<void> {
    if (deed.hidesNoted === true) return this.events.addAll([rowOfDeed(deed)], transaction);
    await this.events.add(transaction, rowOfDeed(deed), {
      madeType: null,
      onlyIfChanged: deed.onlyIfChanged === true,
    });
  }
}

/** In its place where no audit log is kept. */
@Injectable()
export class NoAuditTrail extends AuditTrail {
  override record(): Promise<void> {
    return Promise.resolve();
  }
}

/** The row of what was done by no request. */
export function rowOfDeed({
  by,
  userId = null,
  orgId,
  action,
  target = null,
  code = null,
  changes = null,
}: AuditedDeed): AuditFields {
  return {
    org_id: orgId,
    entry_id: newId(),
    at: new Date().toISOString(),
    actor: { kind: by, user_id: userId, key_prefix: null, session: false },
    action,
    target,
    changes,
    outcome: 'success',
    status: null,
    code,
    request_id: null,
    personal: { address: null, user_agent: null },
  };
}
