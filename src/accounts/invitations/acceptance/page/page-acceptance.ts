import type { IncomingMessage } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { requireRecentSignIn } from '../../../../kernel/auth';
import { Clock } from '../../../../kernel/common';
import { Mailer, plainName } from '../../../mail';
import { SignIn, Visitors } from '../../../sign-in';
import { AcceptService, type JoinedWithKey } from '../accept.service';
import { AcceptanceCodes } from '../acceptance-codes';
import type { InvitationView } from '../invitation-views';

/** The fields of the page's forms. */
export type PageForm = Readonly<Record<'token' | 'step' | 'key' | 'code' | 'name', string>>;

/** What was joined, and whether the browser is signed in now. */
interface Acceptance {
  readonly joined: JoinedWithKey;
  readonly isSignedIn: boolean;
  /** The cookie of a session that began with it; null for none. */
  readonly cookie: string | null;
}

/** Accepts what the forms of the page send, and signs their browser in. */
@Injectable()
export class PageAcceptance {
  private readonly logger = new Logger(PageAcceptance.name);

  constructor(
    private readonly invitations: AcceptService,
    private readonly codes: AcceptanceCodes,
    private readonly mailer: Mailer,
    private readonly visitors: Visitors,
    private readonly signIn: SignIn,
    private readonly clock: Clock,
  ) {}

  /** @throws what accepting throws; UnauthenticatedError, SignInAgainError for a session */
  async accept(request: IncomingMessage, invitation: InvitationView, form: PageForm): Promise<Acceptance> {
    if (form.step === 'session') {
      const caller = await this.visitors.sender(request);
      requireRecentSignIn(caller, this.clock.now());
      const joined = await this.invitations.acceptWithKey(form.token, caller);
      const { key } = joined;
      // A session that is bound to another organization gives way to one that reaches this.
      return key === null
        ? { joined, isSignedIn: true, cookie: null }
        : this.signedIn(joined, () => this.signIn.signIn(request, key));
    }
    if (form.step === 'key') {
      const key = form.key.trim();
      const caller = await this.signIn.holderOf(request, key);
      const joined = await this.invitations.acceptWithKey(form.token, caller);
      return this.signedIn(joined, () => this.signIn.signIn(request, joined.key ?? key));
    }
    const name = plainName(form.name) === '' ? null : plainName(form.name);
    const verified = this.mailer.configured;
    if (verified) await this.codes.check(invitation, form.code);
    const joined = await this.invitations.acceptAsAddressee(form.token, { name, verified });
    return this.signedIn(joined, () =>
      verified || joined.key === null
        ? this.signIn.signInByAddress(request, joined.userId)
        : this.signIn.signIn(request, joined.key),
    );
  }

  /** Whatever becomes of the session, a key is shown: it is this once. */
  private async signedIn(joined: JoinedWithKey, start: () => Promise<string>): Promise<Acceptance> {
    if (!this.signIn.isOffered) return { joined, isSignedIn: false, cookie: null };
    try {
      return { joined, isSignedIn: true, cookie: await start() };
    } catch (error) {
      this.logger.warn({ err: error }, 'Nobody could be signed in after an invitation was accepted');
      return { joined, isSignedIn: false, cookie: null };
    }
  }
}
