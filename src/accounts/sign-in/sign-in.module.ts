import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys';
import type { Settings } from '../../kernel/config';
import { MailModule } from '../mail';
import { OrgsModule } from '../orgs';
import { MailSignIn } from './by-mail/mail-sign-in';
import { MailSignInController } from './by-mail/mail-sign-in.controller';
import { LinkKeys } from './links/link-keys';
import { LinkSignIn } from './links/link-sign-in';
import { SignInLinksController } from './links/sign-in-links.controller';
import { SignInLinks } from './links/sign-in-links.service';
import { OwnForms, SignInController } from './pages/sign-in.controller';
import { ProofMails, ProofSecrets } from './proofs/proof-mails';
import { SignInProof } from './proofs/sign-in-proof.entity';
import { SignIn } from './session/sign-in.service';
import { Visitors } from './session/visitors';

/** Browsers signed in and out: with a key, by mail, by the link of an administrator. */
@Module({
  imports: [TypeOrmModule.forFeature([SignInProof]), ApiKeysModule, MailModule, OrgsModule],
  controllers: [SignInLinksController],
  providers: [
    LinkKeys,
    LinkSignIn,
    MailSignIn,
    ProofMails,
    ProofSecrets,
    SignIn,
    SignInLinks,
    OwnForms,
    Visitors,
  ],
  exports: [OwnForms, SignIn, Visitors],
})
export class SignInModule {
  /** With its pages, where the settings have the service show any. */
  static forRoot({ WEB_UI }: Settings): DynamicModule {
    return {
      module: SignInModule,
      // Forms of other modules end with a session, too.
      global: true,
      controllers: WEB_UI === 'on' ? [SignInController, MailSignInController] : [],
    };
  }
}
