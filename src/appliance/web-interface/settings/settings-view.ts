import { Injectable } from '@nestjs/common';
import {
  type ApiKeyResponse,
  ApiKeysService,
  type BrowserSessionResponse,
  BrowserSessions,
} from '../../../accounts/api-keys';
import { type Caller, ownerOf } from '../../../kernel/auth';
import { type GitCredential, GitCredentialsService } from '../../../agents/git-credentials';

/** The settings of a user as the page shows them. */
export interface SettingsView {
  readonly email: string;
  /** Whether keys can be made that work in all organizations. */
  readonly isBound: boolean;
  readonly keys: readonly ApiKeyResponse[];
  readonly sessions: readonly BrowserSessionResponse[];
  readonly credentials: readonly GitCredential[];
}

/** Reads what the settings page shows. */
@Injectable()
export class SettingsViews {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly sessions: BrowserSessions,
    private readonly git: GitCredentialsService,
  ) {}

  async of(caller: Caller): Promise<SettingsView> {
    return {
      email: caller.email,
      isBound: caller.boundOrgId !== null,
      keys: await this.keys.list(caller),
      sessions: await this.sessions.list(caller),
      credentials: (await this.git.list(ownerOf(caller))).credentials,
    };
  }
}
