import type { IncomingHttpHeaders } from 'node:http';
import type { EntityManager } from 'typeorm';
import type { Standing } from './permissions';
import type { Caller, DirectoryCaller, RuledCredential, SandboxCaller } from './principal';

/** The headers of a request, by their names in small letters. */
export type RequestHeaders = Readonly<IncomingHttpHeaders>;

/** What a valid key identifies: the caller, without the organization the request selects. */
export type VerifiedKey = Omit<Caller, 'selectedOrgId'>;

/** Finds the user of a key. Implemented by `api-keys`, bound in the composition root. */
export abstract class CredentialVerifier {
  /**
   * @param key as the client sent it
   * @param headers those of the request that it came with
   * @returns null for every key that does not work now: unknown, revoked, expired, not yet valid, of a
   *   disabled user
   */
  abstract verify(key: string, headers: RequestHeaders): Promise<VerifiedKey | null>;

  /** What of the headers that a key comes with can decide what becomes of it; empty for nothing. */
  abstract decisive(key: string, headers: RequestHeaders): string;

  /** Those of some keys that work now, by their ids, with what organizations have rules about. */
  abstract working(keyIds: readonly number[]): Promise<ReadonlyMap<number, RuledCredential>>;

  /** The user of a key that works now, by its id. @returns null for every other */
  abstract holderOf(keyId: number): Promise<VerifiedKey | null>;
}

/** Finds the user of a browser's session. Implemented by `api-keys`, bound in the composition root. */
export abstract class SessionVerifier {
  /**
   * @param token as the browser's cookie has it
   * @returns null for every session that does not work now: unknown, ended, idle for too long, of a key that does not
   *   work
   */
  abstract verify(token: string): Promise<VerifiedKey | null>;

  /** Which of some sessions have not ended, by their ids, whatever has become of their keys. */
  abstract lasting(sessionIds: readonly number[]): Promise<ReadonlySet<number>>;
}

/** Finds the sandbox of a session key. Implemented by `sandboxes`, bound in the composition root. */
export abstract class SandboxCredentialVerifier {
  /** @returns null for a key that belongs to no sandbox */
  abstract verify(key: string): Promise<SandboxCaller | null>;
}

/** Finds the organization of a token of its directory. Implemented by `scim`, bound in the composition root. */
export abstract class DirectoryCredentialVerifier {
  /** @returns null for a token that does not work now */
  abstract verify(token: string): Promise<DirectoryCaller | null>;
}

/** With what a ticket was made. */
export interface TicketMaker {
  readonly keyId: number;
  /** The session of the browser that made it; null where the key itself was sent. */
  readonly sessionId: number | null;
  /** When what the maker sent stops working; null for never. */
  readonly keyExpiresAt: Date | null;
}

/** Redeems the tickets of streams. Implemented by `event-streams`, bound in the composition root. */
export abstract class TicketRedeemer {
  /**
   * Uses a ticket up.
   * @param subject what it has to be for
   * @returns null for one that is unknown, used, expired, or for something else
   */
  abstract redeem(ticket: string, subject: string): Promise<TicketMaker | null>;
}

/** A user in an organization. */
export interface Membership {
  readonly userId: string;
  readonly orgId: string;
}

/** A user in an organization, with what they may do there. */
export interface Member extends Membership, Standing {}

/** Reads memberships of organizations. Implemented by `orgs`, bound in the composition root. */
export abstract class MembershipReader {
  /** @returns null when there is no such member or organization */
  abstract standingOf(userId: string, orgId: string): Promise<Standing | null>;

  /** As {@link standingOf}, as a transaction sees it. */
  abstract standingIn(transaction: EntityManager, membership: Membership): Promise<Standing | null>;

  /** Those of some users who are members of the organizations named with them, and not disabled. */
  abstract membersAmong(memberships: readonly Membership[]): Promise<readonly Member[]>;

  abstract organizationExists(orgId: string): Promise<boolean>;
}
