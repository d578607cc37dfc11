import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { noteActor } from '../../../kernel/audit';
import { UnauthenticatedError } from '../../../kernel/auth';
import { FailedCredentials } from '../../../kernel/http';
import { Accounts } from '../../orgs';
import { digestOfToken } from '../proofs/proof-mails';
import { useProof } from '../proofs/sign-in-proofs.query';
import { selectProof, type ShownProof } from '../proofs/sign-in-proofs.read-model';
import { SignIn } from '../session/sign-in.service';
import { LinkKeys } from './link-keys';

/** Signs in by the links of mails and of administrators. */
@Injectable()
export class LinkSignIn {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly failed: FailedCredentials,
    private readonly accounts: Accounts,
    private readonly keys: LinkKeys,
    private readonly signIn: SignIn,
  ) {}

  /** The page of a link; null for an unknown or expired one. Opening it does not use the link up. */
  async find(token: string): Promise<ShownProof | null> {
    const digest = digestOfToken(token);
    const proof = digest === null ? null : await selectProof(this.database.manager, digest);
    return proof?.works === true ? proof : null;
  }

  /**
   * Uses a link up.
   * @returns the cookie
   * @throws UnauthenticatedError, TooManyFailedCredentialsError
   */
  use(request: IncomingMessage, token: string): Promise<string> {
    return this.failed.watch(request, `link ${token}`, async () => {
      const found = await this.find(token);
      if (found === null) throw new UnauthenticatedError();
      return this.redeem(request, found.id);
    });
  }

  /**
   * Uses up a proof that its person has shown.
   * @returns the cookie
   * @throws UnauthenticatedError
   */
  async redeem(request: IncomingMessage, id: string): Promise<string> {
    const proof = await useProof(this.database.manager, id);
    if (proof === null) throw new UnauthenticatedError();
    const { org_id: orgId, user_id: userId, made_by_user_id: makerId } = proof;
    if (orgId === null) {
      const account = await this.accounts.findByEmail(this.database.manager, proof.email);
      if (account === null) throw new UnauthenticatedError();
      return this.signIn.signInByAddress(request, account.id);
    }
    if (userId === null || makerId === null) throw new UnauthenticatedError();
    noteActor({ userId, orgId, session: false });
    return this.signIn.start(request, await this.keys.make({ userId, orgId }, makerId));
  }
}
