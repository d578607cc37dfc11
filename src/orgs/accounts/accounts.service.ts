import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Role } from '../../auth';
import { newId, storableText } from '../../common';

/** A user as found or made. */
export interface Account {
  readonly userId: string;
  readonly email: string;
  /** False when the address was known already. */
  readonly created: boolean;
}

export interface NewUser {
  /** In any case; kept in lower case. */
  readonly email: string;
  readonly name?: string | null;
  /**
   * While the address is unproved: the organization the user's keys work in
   * (docs/contract.md#accepting-an-invitation).
   */
  readonly confinedToOrgId?: string;
}

/**
 * Writes users, organizations and members for those who make them: first start, command line,
 * acceptance of invitations. Callers give their transaction and clear `AuthCaches` after it.
 */
@Injectable()
export class Accounts {
  /** The user with this address; made when there is none, left as they are otherwise. */
  async ensureUser(transaction: EntityManager, user: NewUser): Promise<Account> {
    const email = storableText(user.email).toLowerCase();
    const name = user.name === undefined || user.name === null ? null : storableText(user.name);
    const [made] = await transaction.query<{ id: string }[]>(
      `INSERT INTO users (id, email, name, confined_to_org_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (email) DO NOTHING RETURNING id`,
      [newId(), email, name, user.confinedToOrgId ?? null],
    );
    if (made) return { userId: made.id, email, created: true };
    const [known] = await transaction.query<[{ id: string }]>('SELECT id FROM users WHERE email = $1', [
      email,
    ]);
    return { userId: known.id, email, created: false };
  }

  /**
   * @param id chosen by the caller, else a new one
   * @returns the organization's id
   */
  async createOrganization(transaction: EntityManager, name: string, id: string = newId()): Promise<string> {
    await transaction.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [id, storableText(name)]);
    return id;
  }

  /**
   * Makes a user a member; the organization becomes current for who has no current one, or one they left.
   * @returns false when they were a member already, whose role is left as it is
   */
  async addMember(transaction: EntityManager, orgId: string, userId: string, role: Role): Promise<boolean> {
    const added = await transaction.query<unknown[]>(
      `INSERT INTO org_members (org_id, user_id, role) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING RETURNING user_id`,
      [orgId, userId, role],
    );
    await transaction.query(
      `UPDATE users u SET current_org_id = $1
        WHERE id = $2 AND NOT EXISTS (SELECT 1 FROM org_members m
                                       WHERE m.user_id = u.id AND m.org_id = u.current_org_id)`,
      [orgId, userId],
    );
    return added.length > 0;
  }

  /**
   * Gives an account whose address was unproved to the one who proved it: it works everywhere from now on,
   * without the personal settings made before. Keys made before are the caller's to revoke.
   */
  async handOver(transaction: EntityManager, userId: string, name: string | null): Promise<void> {
    await transaction.query(
      'UPDATE users SET confined_to_org_id = NULL, name = coalesce($2, name) WHERE id = $1',
      [userId, name === null ? null : storableText(name)],
    );
    await transaction.query('DELETE FROM user_app_settings WHERE user_id = $1', [userId]);
  }
}
