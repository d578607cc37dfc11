import { Injectable } from '@nestjs/common';
import {
  type ApiKeyResponse,
  ApiKeysService,
  type BrowserSessionResponse,
  BrowserSessions,
} from '../../../accounts/api-keys';
import { type Caller, ownerOf } from '../../../kernel/auth';
import { AppError } from '../../../kernel/common';
import { type GitCredential, GitCredentialsService } from '../../../agents/git-credentials';
import { SettingsAccess } from './settings-access';

/** The settings of a user as the page shows them. */
export interface SettingsView {
  readonly email: string;
  /** Whether keys can be made that work in all organizations. */
  readonly isBound: boolean;
  /** Null where they may not see them, as the next ones. */
  readonly keys: readonly ApiKeyResponse[] | null;
  readonly sessions: readonly BrowserSessionResponse[] | null;
  readonly credentials: readonly GitCredential[] | null;
}

/** Reads what the settings page shows. */
@Injectable()
export class SettingsViews {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly sessions: BrowserSessions,
    private readonly git: GitCredentialsService,
    private readonly access: SettingsAccess,
  ) {}

  async of(caller: Caller): Promise<SettingsView> {
    return {
      email: caller.email ?? '',
      isBound: caller.boundOrgId !== null,
      keys: (await isLet(this.access.toKeys(caller))) ? await this.keys.list(caller) : null,
      sessions: (await isLet(this.access.toSessions(caller))) ? await this.sessions.list(caller) : null,
      credentials: (await isLet(this.access.toCredentials(caller)))
        ? (await this.git.list(ownerOf(caller))).credentials
        : null,
    };
  }
}

/** Whether a check passes; a failure to check is thrown. */
async function isLet(check: Promise<unknown>): Promise<boolean> {
  try {
    await check;
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return false;
    throw error;
  }
}
