import { Resolver } from 'node:dns/promises';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../kernel/config';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** What stands before a domain in the name whose TXT record proves whose it is. */
const LABEL = '_org-conversation-service';

/** The name of the TXT record that proves whose a domain is. */
export function recordName(domain: string): string {
  return `${LABEL}.${domain}`;
}

/** Asks the name servers of `OIDC_DNS_SERVERS`, or of the system, what owners of domains say there. */
@Injectable()
export class DomainNames {
  private readonly servers: readonly string[];

  constructor(@Inject(SETTINGS) { OIDC_DNS_SERVERS }: Settings) {
    this.servers = OIDC_DNS_SERVERS;
  }

  /** Whether the record of a domain has a token. False also where nobody answers. */
  async says(domain: string, token: string): Promise<boolean> {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    try {
      const records = await resolver.resolveTxt(recordName(domain));
      return records.some((parts) => parts.join('').trim() === token);
    } catch {
      return false;
    }
  }
}
