import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type OrgContext,
  OrgResolution,
  requirePermission,
  requireScope,
  type RouteScope,
} from '../../../kernel/auth';

const KEYS: RouteScope = ['manage_api_keys'];
const CREDENTIALS: RouteScope = ['manage_application_settings'];

/**
 * Who may see and change what is on the settings page. Its routes are public, since visitors are sent to sign in, so it checks
 * itself what OrganizationGuard checks for the operations on the same things.
 */
@Injectable()
export class SettingsAccess {
  constructor(private readonly orgs: OrgResolution) {}

  /**
   * @returns the organization in which keys are made
   * @throws KeyScopeError, PermissionDeniedError, and what finding the organization throws
   */
  async toKeys(caller: Caller): Promise<OrgContext> {
    requireScope(KEYS, caller);
    const org = await this.orgs.effective(caller, null);
    requirePermission(KEYS, org);
    return org;
  }

  /** @throws KeyScopeError, PermissionDeniedError */
  toSessions(caller: Caller): Promise<void> {
    return this.toOwn(caller, KEYS);
  }

  /** @throws KeyScopeError, PermissionDeniedError */
  toCredentials(caller: Caller): Promise<void> {
    return this.toOwn(caller, CREDENTIALS);
  }

  /** For what belongs to a person and no organization: only that of a bound key has a say. */
  private async toOwn(caller: Caller, scope: RouteScope): Promise<void> {
    requireScope(scope, caller);
    const standing = await this.orgs.ofBinding(caller);
    if (standing !== null) requirePermission(scope, standing);
  }
}
