import { Injectable } from '@nestjs/common';
import { type ApiKeysService, KeyVerifier } from '../../api-keys';
import {
  type Caller,
  KeyScopeError,
  OrgResolution,
  type OrgContext,
  type Permission,
  PermissionDeniedError,
  PermissionTable,
  UnauthenticatedError,
} from '../../../kernel/auth';
import { Clock } from '../../../kernel/common';
import type { DeviceLogin } from '../record/device-login.entity';

const DAY_MS = 86_400_000;

/** What a key is made with; its name where the device gave none. */
const UNNAMED = 'Device login';

type AskedKey = Pick<DeviceLogin, 'clientName' | 'scopes' | 'orgId' | 'keyExpiresAt'>;

/** A key that a device would get, as making one takes it. */
export interface DeviceGrant {
  readonly org: OrgContext;
  readonly request: Parameters<ApiKeysService['create']>[2];
  readonly scopes: readonly Permission[] | null;
}

/** Works out which key a device gets of whoever approves it: never more than they could make themselves. */
@Injectable()
export class DeviceGrants {
  constructor(
    private readonly organizations: OrgResolution,
    private readonly permissions: PermissionTable,
    private readonly verifier: KeyVerifier,
    private readonly clock: Clock,
  ) {}

  /**
   * Who approved, as they are now.
   * @param keyId of the key that they were signed in with; null for one that was revoked
   * @param endsAt when what they were signed in with ends
   * @throws UnauthenticatedError where that works no longer
   */
  async approver(keyId: number | null, endsAt: Date | null): Promise<Caller> {
    const user = keyId === null ? null : await this.verifier.holderOf(keyId);
    if (user === null || (endsAt !== null && endsAt <= this.clock.now())) throw new UnauthenticatedError();
    return { ...user, keyExpiresAt: earliest([endsAt, user.keyExpiresAt]), selectedOrgId: null };
  }

  /**
   * The key that a caller can give.
   * @throws KeyScopeError, PermissionDeniedError, and what finding the organization throws
   */
  async of(caller: Caller, { clientName, scopes, orgId, keyExpiresAt }: AskedKey): Promise<DeviceGrant> {
    const org = await (orgId === null
      ? this.organizations.effective(caller, null)
      : this.organizations.ofPath(caller, orgId, 403));
    if (!org.permissions.has('manage_api_keys')) throw new PermissionDeniedError('manage_api_keys');
    const days = org.rules?.longestKeyDays ?? null;
    const longest = days === null ? null : new Date(this.clock.now().getTime() + days * DAY_MS);
    const names = this.scopesOf(caller, scopes);
    return {
      org,
      scopes: names,
      request: {
        name: clientName ?? UNNAMED,
        org_id: orgId,
        not_before: null,
        scopes: names,
        expires_at: earliest([keyExpiresAt, caller.keyExpiresAt, longest]),
      },
    };
  }

  /**
   * What was asked for, as far as the caller's own key can do it; null for all that its person may.
   * @throws KeyScopeError where that is nothing
   */
  scopesOf({ scopes: own }: Pick<Caller, 'scopes'>, asked: readonly string[] | null): Permission[] | null {
    if (own === null) return asked === null ? null : this.permissions.known(asked);
    if (!own.has('manage_api_keys')) throw new KeyScopeError(['manage_api_keys']);
    const both = this.permissions.known(asked ?? own).filter((permission) => own.has(permission));
    if (both.length === 0) throw new KeyScopeError(asked ?? []);
    return both;
  }
}

/** The first of some times; null for none, as for a key without an end. */
function earliest(times: readonly (Date | null)[]): Date | null {
  const [first = null] = times.filter((time) => time !== null).sort((a, b) => a.getTime() - b.getTime());
  return first;
}
