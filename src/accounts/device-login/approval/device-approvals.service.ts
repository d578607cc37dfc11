import type { IncomingMessage } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Raw, Repository } from 'typeorm';
import { ApiKeysService } from '../../api-keys';
import { type Caller, requireOwnSignIn, requireRecentSignIn } from '../../../kernel/auth';
import { Clock } from '../../../kernel/common';
import { countedAddress } from '../../../kernel/http';
import { TooManyUserCodesError, UserCodeUnknownError } from '../device-login.errors';
import { DeviceCodes } from '../record/device-codes';
import { DeviceLogin } from '../record/device-login.entity';
import { countTry, decideLogin, takeTryBack } from '../record/device-logins.query';
import { DeviceGrants } from '../requests/device-grants';

/** Wrong codes of a user, and of an address, in ten minutes: there are 20 to the power of 8. */
const MOST_WRONG = 10;

const DAY_MS = 86_400_000;

/** What a person chooses for the key of a device. */
export interface ChosenKey {
  /** The only organization that it is for; null for all of its person. */
  readonly orgId: string | null;
  /** How long it is to work; null for ever. */
  readonly days: number | null;
}

/** What people decide about the logins of devices (docs/device-login.md). */
@Injectable()
export class DeviceApprovals {
  private readonly logger = new Logger('DeviceLogin');

  constructor(
    @InjectRepository(DeviceLogin) private readonly logins: Repository<DeviceLogin>,
    private readonly codes: DeviceCodes,
    private readonly grants: DeviceGrants,
    private readonly keys: ApiKeysService,
    private readonly clock: Clock,
  ) {}

  /**
   * The login that waits with a code.
   * @param code as `userCodeIn` reads it
   * @throws KeptByLinkError, SignInAgainError, UserCodeUnknownError, TooManyUserCodesError
   */
  async find(request: IncomingMessage, caller: Caller, code: string): Promise<DeviceLogin> {
    requireOwnSignIn(caller);
    requireRecentSignIn(caller, this.clock.now());
    const subjects = [`user ${caller.userId}`, `address ${countedAddress(request)}`];
    const tries = await countTry(this.logins.manager, subjects);
    const exceeded = tries.filter(({ count }) => count > MOST_WRONG);
    if (exceeded.length > 0)
      throw new TooManyUserCodesError(Math.max(...exceeded.map(({ left_seconds: left }) => left)));
    const login = await this.logins.findOneBy({
      userCodeDigest: In(this.codes.digestsOfUserCode(code)),
      decidedAt: IsNull(),
      expiresAt: Raw((column) => `${column} > clock_timestamp()`),
    });
    if (login === null) throw new UserCodeUnknownError();
    await takeTryBack(this.logins.manager, subjects);
    return login;
  }

  /**
   * Approves a login: its device gets a key of the caller when it asks next.
   * @returns when that key will end; null for never
   * @throws what {@link find} throws, and what making the key would
   */
  async approve(
    request: IncomingMessage,
    caller: Caller,
    code: string,
    { orgId, days }: ChosenKey,
  ): Promise<Date | null> {
    const login = await this.find(request, caller, code);
    const { clientName, scopes } = login;
    const keyExpiresAt = days === null ? null : new Date(this.clock.now().getTime() + days * DAY_MS);
    const grant = await this.grants.of(caller, { clientName, scopes, orgId, keyExpiresAt });
    await this.keys.check(caller, grant.org, grant.request);
    await this.decide(login, caller, true, { orgId, keyExpiresAt });
    return grant.request.expires_at;
  }

  /** Refuses a login. @throws what {@link find} throws */
  async deny(request: IncomingMessage, caller: Caller, code: string): Promise<void> {
    const login = await this.find(request, caller, code);
    await this.decide(login, caller, false, { orgId: null, keyExpiresAt: null });
  }

  private async decide(
    { id, address }: DeviceLogin,
    { userId, keyId, keyExpiresAt: credentialExpiresAt }: Caller,
    isApproved: boolean,
    key: Pick<DeviceLogin, 'orgId' | 'keyExpiresAt'>,
  ): Promise<void> {
    const decision = { ...key, isApproved, userId, apiKeyId: keyId, credentialExpiresAt };
    if (!(await decideLogin(this.logins.manager, id, decision))) throw new UserCodeUnknownError();
    const what = isApproved ? 'The login of a device was approved' : 'The login of a device was refused';
    this.logger.log({ user: userId, organization: key.orgId, keyId, address }, what);
  }
}
