import { Injectable } from '@nestjs/common';
import { MembershipReader } from '../../auth';
import type { AuditFields } from '../../domain-events';
import { KnownCredentials } from './known-credentials';

/** A row of a call that is over, and what is still to be looked up for it. */
export interface PendingRow {
  readonly fields: AuditFields;
  /** Of the credential that was refused; null where the actor is known. A row is written only if it is, or was, somebody's. */
  readonly credential: string | null;
  /** Organizations that it may be of, the likeliest first: it is of the first one that its user is a member of. */
  readonly mayBeIn: readonly string[];
}

/** A row, and where it may belong. */
interface Known {
  readonly fields: AuditFields;
  readonly mayBeIn: readonly string[];
}

/** Looks up what the rows of calls leave open, for many at once. */
@Injectable()
export class PendingRows {
  constructor(
    private readonly credentials: KnownCredentials,
    private readonly members: MembershipReader,
  ) {}

  /** The rows as they are written, without those whose credential is nobody's. */
  async complete(pending: readonly PendingRow[]): Promise<AuditFields[]> {
    const known = await this.withActors(pending);
    const asked = known.flatMap(({ fields: { org_id, actor }, mayBeIn }) =>
      org_id === null && actor.user_id !== null
        ? mayBeIn.map((orgId) => ({ userId: actor.user_id ?? '', orgId }))
        : [],
    );
    const members = asked.length === 0 ? [] : await this.members.membersAmong(asked);
    const isMember = new Set(members.map(({ userId, orgId }) => `${userId} ${orgId}`));
    return known.map(({ fields, mayBeIn }) => ({
      ...fields,
      org_id: fields.org_id ?? mayBeIn.find((id) => isMember.has(`${fields.actor.user_id} ${id}`)) ?? null,
    }));
  }

  private async withActors(pending: readonly PendingRow[]): Promise<Known[]> {
    const digests = new Set(pending.flatMap(({ credential }) => credential ?? []));
    const found = digests.size === 0 ? [] : await this.credentials.among([...digests]);
    const byDigest = new Map(found.map((each) => [each.digest, each]));
    return pending.flatMap(({ fields, credential, mayBeIn }) => {
      if (credential === null) return { fields, mayBeIn };
      const known = byDigest.get(credential);
      if (known === undefined) return [];
      const { actor, orgId, currentOrgId } = known;
      return {
        fields: { ...fields, actor, org_id: orgId },
        mayBeIn: currentOrgId === null ? mayBeIn : [...mayBeIn, currentOrgId],
      };
    });
  }
}
