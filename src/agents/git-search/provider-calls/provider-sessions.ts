import { Injectable } from '@nestjs/common';
import { portOf } from '../../git-credentials';
import { Destinations, RegistrationProblem } from '../../skills';
import { GitHostRefusedError } from './provider-answer';
import { ProviderSession, type SessionOptions } from './provider-session';

/**
 * Opens the way to providers: their hosts are checked as those of marketplaces are, since any user may name one in a
 * credential (docs/decisions/0032-git-searches.md).
 */
@Injectable()
export class ProviderSessions {
  constructor(private readonly destinations: Destinations) {}

  /**
   * @param base what the paths of the API begin with
   * @throws GitHostRefusedError
   */
  async open(base: URL, options: Omit<SessionOptions, 'addresses'>): Promise<ProviderSession> {
    try {
      const addresses = await this.destinations.addressesOf(base.hostname, portOf(base.href));
      return new ProviderSession(base, { ...options, addresses });
    } catch (error) {
      if (!(error instanceof RegistrationProblem)) throw error;
      throw new GitHostRefusedError(error.message, { cause: error });
    }
  }
}
