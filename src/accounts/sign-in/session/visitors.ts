import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { noteActor } from '../../../kernel/audit';
import { Authentication, sessionToken, UnauthenticatedError, type VerifiedKey } from '../../../kernel/auth';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { FailedCredentials } from '../../../kernel/http';
import { TooManyFailedCredentialsError } from '../../../kernel/request-limits';

/** Who opens a page: the user of the browser's session, which counts as a failed credential where it does not work. */
@Injectable()
export class Visitors {
  constructor(
    private readonly authentication: Authentication,
    private readonly failed: FailedCredentials,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Who is signed in in the browser that opens a page, whatever made it do so: see {@link Authentication.visitor}.
   * @returns null for nobody
   * @throws SessionOfSandboxError
   */
  async of(request: IncomingMessage): Promise<VerifiedKey | null> {
    if (!this.bringsSession(request)) return null;
    try {
      return await this.failed.watch(request, 'page', async () => {
        const visitor = await this.authentication.visitor(request);
        if (visitor === null) throw new UnauthenticatedError();
        return visitor;
      });
    } catch (error) {
      if (error instanceof UnauthenticatedError || error instanceof TooManyFailedCredentialsError)
        return null;
      throw error;
    }
  }

  /** Whether a request's browser has a session, which may have ended. @throws SessionOfSandboxError */
  bringsSession(request: IncomingMessage): boolean {
    return (sessionToken(request, this.settings) ?? '') !== '';
  }

  /**
   * The user who submitted a form of the service's own pages.
   * @throws UnauthenticatedError, TooManyFailedCredentialsError, SessionOfSandboxError
   */
  async sender(request: IncomingMessage): Promise<VerifiedKey> {
    const sender = await this.failed.watch(request, 'form', () => this.authentication.caller(request));
    const { userId, boundOrgId, currentOrgId, sessionId } = sender;
    noteActor({ userId, orgId: boundOrgId ?? currentOrgId, session: sessionId !== undefined });
    return sender;
  }
}
