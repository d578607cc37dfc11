import { Injectable } from '@nestjs/common';
import { ApiKeysService, BrowserSessions } from '../../../accounts/api-keys';
import {
  type Caller,
  type OrgContext,
  ownerOf,
  requireOwnSignIn,
  requireRecentSignIn,
} from '../../../kernel/auth';
import { Clock } from '../../../kernel/common';
import {
  CREDENTIAL_PROVIDERS,
  credentialProblem,
  GitCredentialsService,
} from '../../../agents/git-credentials';
import type { FormField } from '../../../accounts/sign-in';
import { SettingsAccess } from './settings-access';

const DAY_MS = 24 * 3_600_000;
const MAX_DAYS = 3_650;

/** The outcome of a form of the settings page. */
export interface FormResult {
  /** A key that was made, which is shown this once; null for none. */
  readonly key: string | null;
  /** Why nothing was changed; null for success. */
  readonly problem: string | null;
}

const DONE: FormResult = { key: null, problem: null };

/** Does what the forms of the settings page ask for, as the operations on the same things do. */
@Injectable()
export class SettingsForms {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly sessions: BrowserSessions,
    private readonly git: GitCredentialsService,
    private readonly access: SettingsAccess,
    private readonly clock: Clock,
  ) {}

  /** @throws KeyScopeError, PermissionDeniedError, KeptByLinkError, SignInAgainError, and what the operations throw */
  async submit(caller: Caller, field: FormField): Promise<FormResult> {
    switch (field('action')) {
      case 'make-key':
        return this.makeKey(caller, await this.orgOfKeys(caller), field);
      case 'revoke-key':
        await this.orgOfKeys(caller);
        await this.keys.revoke(caller, field('id'));
        return DONE;
      case 'end-session':
        await this.access.toSessions(caller);
        this.requireRecent(caller);
        await this.sessions.revoke(caller, field('id'));
        return DONE;
      case 'keep-credential':
        await this.requireCredentials(caller);
        return { ...DONE, problem: await this.keepCredential(caller, field) };
      case 'delete-credential':
        await this.requireCredentials(caller);
        await this.git.delete(ownerOf(caller), field('id'));
        return DONE;
      default:
        return { ...DONE, problem: 'This form is not known here: open the page again.' };
    }
  }

  private async orgOfKeys(caller: Caller): Promise<OrgContext> {
    const org = await this.access.toKeys(caller);
    this.requireRecent(caller);
    return org;
  }

  private async requireCredentials(caller: Caller): Promise<void> {
    await this.access.toCredentials(caller);
    requireOwnSignIn(caller);
    this.requireRecent(caller);
  }

  /** Last, as for the operations: nobody signs in again for what they may not do. */
  private requireRecent(caller: Caller): void {
    requireRecentSignIn(caller, this.clock.now());
  }

  private async makeKey(caller: Caller, org: OrgContext, field: FormField): Promise<FormResult> {
    const days = Number(field('days'));
    if (!(days >= 0 && days <= MAX_DAYS))
      return { ...DONE, problem: 'No key was made. Choose how long it works.' };
    const { key } = await this.keys.create(caller, org, {
      name: field('name').trim() || null,
      expires_at: days > 0 ? new Date(this.clock.now().getTime() + days * DAY_MS) : null,
      not_before: null,
      org_id: field('reach') === 'all' ? null : org.orgId,
    });
    return { ...DONE, key };
  }

  private async keepCredential(caller: Caller, field: FormField): Promise<string | null> {
    const given = {
      url_prefix: field('url_prefix').trim(),
      username: field('username').trim(),
      password: field('password').trim(),
    };
    const problem = credentialProblem(given);
    if (problem !== null) return `The credential was not kept. Its ${problem}.`;
    const git_provider = CREDENTIAL_PROVIDERS.find((name) => name === field('git_provider')) ?? null;
    await this.git.create(ownerOf(caller), { ...given, git_provider });
    return null;
  }
}
