import { Inject, Injectable } from '@nestjs/common';
import { publicPath, SETTINGS, type Settings } from '../../../kernel/config';
import { CONSOLE } from '../../../kernel/http';
import { Mailer } from '../../mail';
import { ProviderChoicesOf, type WantedProviders } from './provider-choices';
import { returnPath } from './return-path';
import { signInPage } from './sign-in-pages';

/** What differs from one sign-in page to another. */
interface ShownSignIn {
  /** Where to go on afterwards, as it was asked for. */
  readonly returnTo: string;
  /** The e-mail address of the signed-in user. */
  readonly email?: string | null;
  /** Why the last attempt failed, or why one is needed. */
  readonly problem?: string | null;
  /** Whether the person has to prove who they are anew. */
  readonly again?: boolean;
  readonly wanted?: WantedProviders;
}

/** Writes the sign-in page, with all that one can sign in with. */
@Injectable()
export class SignInPage {
  private readonly base: string;

  constructor(
    private readonly mailer: Mailer,
    private readonly choices: ProviderChoicesOf,
    @Inject(SETTINGS) settings: Settings,
    @Inject(CONSOLE) private readonly console: string | null,
  ) {
    this.base = publicPath(settings);
  }

  /** Whether there is a provider of the organization that is wanted. */
  async offers(wanted: WantedProviders): Promise<boolean> {
    return (await this.choices.find(wanted)).isFound;
  }

  async write({
    returnTo,
    email = null,
    problem = null,
    again = false,
    wanted = {},
  }: ShownSignIn): Promise<string> {
    const { base, console } = this;
    return signInPage({
      base,
      console,
      email,
      problem,
      again,
      returnTo: returnPath(returnTo, base),
      byMail: this.mailer.configured,
      choices: await this.choices.find(wanted),
    });
  }
}
