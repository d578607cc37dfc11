import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys';
import type { Settings } from '../../kernel/config';
import { IdentityProvidersModule } from '../identity-providers';
import { MailModule } from '../mail';
import { OrgsModule } from '../orgs';
import { PersonalDataModule } from '../personal-data';
import { ProviderChoicesOf } from './pages/provider-choices';
import { NamedProviders } from './by-provider/named-providers';
import { ProviderSessions } from './by-provider/provider-sessions';
import { ProviderSignIn } from './by-provider/provider-sign-in';
import { ProviderSignInController } from './by-provider/provider-sign-in.controller';
import { SignInCookie } from './by-provider/sign-in-cookie';
import { MailSignIn } from './by-mail/mail-sign-in';
import { MailSignInController } from './by-mail/mail-sign-in.controller';
import { LinkKeys } from './links/link-keys';
import { LinkSignIn } from './links/link-sign-in';
import { SignInLinksController } from './links/sign-in-links.controller';
import { SignInLinks } from './links/sign-in-links.service';
import { SignInPage } from './pages/sign-in-page';
import { OwnForms, SignInController } from './pages/sign-in.controller';
import { ProofMails, ProofSecrets } from './proofs/proof-mails';
import { PersonalProofs } from './proofs/personal-proofs';
import { SignInProof } from './proofs/sign-in-proof.entity';
import { SignIn } from './session/sign-in.service';
import { Visitors } from './session/visitors';

/** Browsers signed in and out: with a key, by mail, by the link of an administrator. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SignInProof]),
    ApiKeysModule,
    IdentityProvidersModule,
    MailModule,
    OrgsModule,
    PersonalDataModule,
  ],
  controllers: [SignInLinksController],
  providers: [
    LinkKeys,
    LinkSignIn,
    MailSignIn,
    PersonalProofs,
    ProofMails,
    ProofSecrets,
    NamedProviders,
    ProviderChoicesOf,
    ProviderSessions,
    ProviderSignIn,
    SignIn,
    SignInCookie,
    SignInLinks,
    SignInPage,
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
      controllers: WEB_UI === 'on' ? [SignInController, MailSignInController, ProviderSignInController] : [],
    };
  }
}
