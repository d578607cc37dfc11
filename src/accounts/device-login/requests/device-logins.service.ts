import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Raw, Repository } from 'typeorm';
import { clientAddress, PermissionTable } from '../../../kernel/auth';
import { cutText, newId } from '../../../kernel/common';
import { publicUrl, SETTINGS, type Settings } from '../../../kernel/config';
import { lockForTransaction } from '../../../kernel/database';
import { countedAddress } from '../../../kernel/http';
import { JobHandlers } from '../../../kernel/jobs';
import { SignIn } from '../../sign-in';
import {
  DeviceCodes,
  digestOfDeviceCode,
  newDeviceCode,
  newUserCode,
  shownUserCode,
} from '../record/device-codes';
import { DeviceCodeTries, DeviceLogin, MAX_ADDRESS, MAX_USER_AGENT } from '../record/device-login.entity';
import { DeviceLoginOffError, InvalidScopeError, TooManyDeviceLoginsError } from '../device-login.errors';
import { clientNameIn, plainText } from './client-name';
import type { DeviceAuthorization, DeviceAuthorizationRequest } from './device-login.dto';

/** The page on which people enter codes. */
export const VERIFY_PATH = '/oauth/device/verify';

const EXPIRES_SECONDS = 600;
const INTERVAL_SECONDS = 5;

/** How many logins of an address may wait at once. */
const MOST_OF_ADDRESS = 50;

/** How many rows there may be of one, those that somebody has decided about or that have expired included. */
const MOST_ROWS_OF_ADDRESS = 200;

/** How many rows there may be, of a few kilobytes each at most. */
const MOST = 10_000;

const MOST_SCOPES = 100;

const CLEAN_UP_SECONDS = 60;

/** Begins logins of devices (docs/device-login.md). */
@Injectable()
export class DeviceLogins {
  constructor(
    @InjectRepository(DeviceLogin) private readonly logins: Repository<DeviceLogin>,
    @InjectRepository(DeviceCodeTries) tries: Repository<DeviceCodeTries>,
    private readonly codes: DeviceCodes,
    private readonly permissions: PermissionTable,
    private readonly signIn: SignIn,
    @Inject(SETTINGS) private readonly settings: Settings,
    handlers: JobHandlers,
  ) {
    handlers.every('device-login-clean-up', CLEAN_UP_SECONDS, async () => {
      // By the database's clock, which set the times. Until then, a device that asks too late is told that its login has expired.
      await logins.delete({ expiresAt: Raw((column) => `${column} < now() - interval '10 minutes'`) });
      await tries.delete({ endsAt: Raw((column) => `${column} < now()`) });
    });
  }

  /**
   * Begins a login.
   * @throws DeviceLoginOffError, InvalidRequestError, InvalidScopeError, TooManyDeviceLoginsError
   */
  async begin(request: IncomingMessage, asked: DeviceAuthorizationRequest): Promise<DeviceAuthorization> {
    this.requireOffered();
    const wanted = { clientName: clientNameIn(asked.client_id), scopes: this.scopesIn(asked.scope) };
    const deviceCode = newDeviceCode();
    const userCode = await this.logins.manager.transaction(async (transaction) => {
      await lockForTransaction(transaction, 'device-logins');
      const counted = cutText(countedAddress(request), MAX_ADDRESS);
      await this.checkRoom(transaction, counted);
      const code = await this.unusedUserCode(transaction);
      const agent = request.headers['user-agent'];
      await transaction.withRepository(this.logins).insert({
        ...wanted,
        id: newId(),
        deviceCodeDigest: digestOfDeviceCode(deviceCode),
        userCodeDigest: this.codes.digestsOfUserCode(code)[0],
        address: cutText(clientAddress(request), MAX_ADDRESS),
        countedAddress: counted,
        userAgent: agent === undefined ? null : cutText(plainText(agent), MAX_USER_AGENT),
        createdAt: () => 'clock_timestamp()',
        expiresAt: () => `clock_timestamp() + interval '${EXPIRES_SECONDS} seconds'`,
        intervalSeconds: INTERVAL_SECONDS,
      });
      return shownUserCode(code);
    });
    const page = `${publicUrl(this.settings)}${VERIFY_PATH}`;
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: EXPIRES_SECONDS,
      interval: INTERVAL_SECONDS,
    };
  }

  /** @throws DeviceLoginOffError where nobody can approve anything */
  requireOffered(): void {
    if (!this.signIn.isOffered) throw new DeviceLoginOffError();
  }

  /** Called under the lock, so that concurrent calls cannot exceed the limits. */
  private async checkRoom(transaction: EntityManager, address: string): Promise<void> {
    const logins = transaction.withRepository(this.logins);
    const waiting = await logins.countBy({
      countedAddress: address,
      decidedAt: IsNull(),
      expiresAt: Raw((column) => `${column} > clock_timestamp()`),
    });
    const ofAddress = await logins.countBy({ countedAddress: address });
    const isFull = waiting >= MOST_OF_ADDRESS || ofAddress >= MOST_ROWS_OF_ADDRESS;
    if (isFull || (await logins.count()) >= MOST) throw new TooManyDeviceLoginsError();
  }

  private async unusedUserCode(transaction: EntityManager): Promise<string> {
    const code = newUserCode();
    const [userCodeDigest] = this.codes.digestsOfUserCode(code);
    const isTaken = await transaction.withRepository(this.logins).existsBy({ userCodeDigest });
    return isTaken ? this.unusedUserCode(transaction) : code;
  }

  private scopesIn(text: string | null): string[] | null {
    const names = new Set((text ?? '').split(' ').filter((name) => name !== ''));
    if (names.size === 0) return null;
    const known = this.permissions.known(names);
    if (known.length < names.size || known.length > MOST_SCOPES) throw new InvalidScopeError();
    return known;
  }
}
