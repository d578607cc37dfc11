import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { ApiKeysService } from '../../api-keys';
import { type Caller, NotAMemberError } from '../../../kernel/auth';
import { AppError, Clock } from '../../../kernel/common';
import { AccountLocks, MembershipService } from '../../orgs';
import {
  AccessDeniedError,
  AuthorizationPendingError,
  ExpiredTokenError,
  InvalidGrantError,
  InvalidRequestError,
  SlowDownError,
  UnsupportedGrantTypeError,
} from '../device-login.errors';
import { digestOfDeviceCode } from '../record/device-codes';
import { DeviceLogin } from '../record/device-login.entity';
import { type PolledLogin, pollLogin, useLogin } from '../record/device-logins.query';
import { clientNameIn } from './client-name';
import { DeviceGrants } from './device-grants';
import { DEVICE_GRANT, type DeviceToken, type DeviceTokenRequest } from './device-login.dto';
import { DeviceLogins } from './device-logins.service';

/** Gives devices their keys, once they are approved (docs/device-login.md). */
@Injectable()
export class DeviceTokens {
  private readonly logger = new Logger('DeviceLogin');

  constructor(
    @InjectRepository(DeviceLogin) private readonly logins: Repository<DeviceLogin>,
    private readonly devices: DeviceLogins,
    private readonly grants: DeviceGrants,
    private readonly keys: ApiKeysService,
    private readonly members: MembershipService,
    private readonly locks: AccountLocks,
    private readonly clock: Clock,
  ) {}

  /**
   * The key of a device whose login was approved, once.
   * @throws DeviceLoginOffError; the errors of OAuth
   */
  async fetch({ grant_type, device_code, client_id }: DeviceTokenRequest): Promise<DeviceToken> {
    this.devices.requireOffered();
    if ((grant_type ?? '') !== '' && grant_type !== DEVICE_GRANT) throw new UnsupportedGrantTypeError();
    if (device_code === null || device_code === '') throw new InvalidRequestError('device_code is missing.');
    const login = await pollLogin(this.logins.manager, digestOfDeviceCode(device_code));
    if (login === null || login.used_at !== null || !isOf(login, client_id)) throw new InvalidGrantError();
    if (login.is_approved === false) throw new AccessDeniedError();
    if (login.has_expired) throw new ExpiredTokenError();
    if (login.is_approved === true) return this.give(login);
    throw login.is_too_early ? new SlowDownError(login.interval_seconds) : new AuthorizationPendingError();
  }

  /** Who approved must be allowed to do so still: whatever speaks against it refuses the login for good. */
  private async give(login: PolledLogin): Promise<DeviceToken> {
    try {
      const caller = await this.grants.approver(login.api_key_id, login.credential_expires_at);
      const grant = await this.grants.of(caller, {
        clientName: login.client_name,
        scopes: login.scopes,
        orgId: login.org_id,
        keyExpiresAt: login.key_expires_at,
      });
      const { id, key, expires_at } = await this.keys.create(
        caller,
        grant.org,
        grant.request,
        (transaction) => this.useUp(transaction, login, caller),
      );
      if (key === null) throw new Error('A key that was just made has a text.');
      const { address, org_id: organization } = login;
      this.logger.log({ user: caller.userId, organization, keyId: id, address }, 'A device got a key');
      return {
        access_token: key,
        token_type: 'Bearer',
        ...(expires_at !== null && { expires_in: this.secondsUntil(expires_at) }),
        ...(grant.scopes !== null && { scope: grant.scopes.join(' ') }),
      };
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500 || error instanceof InvalidGrantError)
        throw error;
      await this.logins.update({ id: login.id }, { isApproved: false });
      const { user_id: user, org_id: organization } = login;
      this.logger.log({ user, organization, reason: error.code }, 'A device got no key after all');
      throw new AccessDeniedError();
    }
  }

  /** Under the lock of the account, so that a membership that ends meanwhile takes the key with it. */
  private async useUp(
    transaction: EntityManager,
    { id, org_id: orgId }: PolledLogin,
    { userId }: Caller,
  ): Promise<void> {
    if (orgId === null) await this.locks.user(transaction, userId);
    else {
      await this.locks.organizationAndUser(transaction, orgId, userId);
      if ((await this.members.standingIn(transaction, { orgId, userId })) === null)
        throw new NotAMemberError();
    }
    if (!(await useLogin(transaction, id))) throw new InvalidGrantError();
  }

  private secondsUntil(time: string): number {
    return Math.round((Date.parse(time) - this.clock.now().getTime()) / 1_000);
  }
}

/** Whether the client that asks is the one that began the login, as far as it says so. */
function isOf({ client_name: name }: PolledLogin, clientId: string | null): boolean {
  return clientId === null || clientId === '' || clientNameIn(clientId) === name;
}
