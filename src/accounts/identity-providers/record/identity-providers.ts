import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Not, Repository } from 'typeorm';
import { KeyIssuer } from '../../api-keys';
import { AuthCaches } from '../../../kernel/auth';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { Clock, SecretBox, TtlCache } from '../../../kernel/common';
import { lockForTransaction, type SealedColumn } from '../../../kernel/database';
import { IdentityProvider, INSTALLATION_PROVIDER_ID } from './identity-provider.entity';

/** A provider as others read it. */
export type KnownProvider = Readonly<IdentityProvider>;

/** What a sealed client secret is bound to. */
function contextOf(id: string): string {
  return `identity-provider:${id}`;
}

/** The column that stores the client secrets of providers. */
export const SEALED_CLIENT_SECRETS: SealedColumn = {
  table: 'identity_providers',
  column: 'sealed_client_secret',
  contextOf,
};

/** How long other replicas may go by what a provider was before. */
const TTL_MS = 300;
const MAX_ENTRIES = 1_000;

/** The providers of identities as they are kept: that of the installation as its settings have it, and those of organizations. */
@Injectable()
export class IdentityProviders implements OnApplicationBootstrap {
  private readonly cached: TtlCache<IdentityProvider | null>;
  private readonly ofIssuers: TtlCache<readonly IdentityProvider[]>;
  private readonly ofAny: TtlCache<boolean>;

  constructor(
    @InjectRepository(IdentityProvider) private readonly providers: Repository<IdentityProvider>,
    private readonly keys: KeyIssuer,
    private readonly box: SecretBox,
    private readonly caches: AuthCaches,
    @Inject(SETTINGS) private readonly settings: Settings,
    clock: Clock,
  ) {
    this.cached = new TtlCache(clock, TTL_MS, MAX_ENTRIES);
    this.ofIssuers = new TtlCache(clock, TTL_MS, MAX_ENTRIES);
    this.ofAny = new TtlCache(clock, TTL_MS, 1);
  }

  /** Writes what the settings say of the installation's provider, to whose row identities refer. */
  async onApplicationBootstrap(): Promise<void> {
    const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = this.settings;
    if (issuer === undefined || clientId === undefined) return;
    const { manager } = this.providers;
    await manager.transaction((transaction) => this.write(transaction, issuer, clientId));
    this.clear();
  }

  private async write(transaction: EntityManager, issuer: string, clientId: string): Promise<void> {
    const { settings } = this;
    const id = INSTALLATION_PROVIDER_ID;
    const providers = transaction.withRepository(this.providers);
    await lockForTransaction(transaction, contextOf(id));
    const before = await providers.findOneBy({ id });
    // The subjects of another issuer are other people.
    if (before !== null && before.issuer !== issuer) await this.remove(transaction, before);
    await providers.save({
      id,
      orgId: null,
      name: settings.OIDC_NAME,
      issuer,
      clientId,
      sealedClientSecret: this.seal(id, settings.OIDC_CLIENT_SECRET ?? null),
      scope: settings.OIDC_SCOPE,
      defaultRole: settings.OIDC_DEFAULT_ROLE?.toLowerCase() ?? null,
      groupClaim: settings.OIDC_GROUP_CLAIM,
      groupRoles: settings.OIDC_GROUP_ROLES.map(({ group, role }) => ({ group, role: role.toLowerCase() })),
      audience: settings.OIDC_AUDIENCE ?? null,
      introspection: settings.OIDC_INTROSPECTION === 'on',
    });
  }

  /** A provider that lets people in now; null for every other id. It may have been changed 300 ms ago. */
  find(id: string): Promise<IdentityProvider | null> {
    if (id === INSTALLATION_PROVIDER_ID && !this.hasInstallation) return Promise.resolve(null);
    return this.cached.get(id, () => this.providers.findOneBy({ id }));
  }

  /** The provider of the installation; null without one. */
  installation(): Promise<IdentityProvider | null> {
    return this.find(INSTALLATION_PROVIDER_ID);
  }

  /** Those that have an issuer: several organizations may have the same one. */
  async ofIssuer(issuer: string): Promise<readonly IdentityProvider[]> {
    const found = await this.ofIssuers.get(issuer, () =>
      this.providers.find({ where: { issuer }, order: { createdAt: 'ASC', id: 'ASC' } }),
    );
    return this.hasInstallation ? found : found.filter(({ orgId }) => orgId !== null);
  }

  /** Those of an organization, the oldest first; with null, that of the installation. */
  ofOrganization(orgId: string | null): Promise<IdentityProvider[]> {
    return this.providers.find({
      where: { orgId: orgId ?? IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  /** Whether any organization has one. */
  anyOfOrganizations(): Promise<boolean> {
    return this.ofAny.get('', () => this.providers.existsBy({ orgId: Not(IsNull()) }));
  }

  /** The secret of the service at a provider; null for a public client. */
  clientSecretOf({ id, sealedClientSecret }: IdentityProvider): string | null {
    return this.box.open(sealedClientSecret, contextOf(id));
  }

  /** Seals a client secret for the row of a provider. */
  seal(id: string, clientSecret: string | null): string | null {
    return this.box.seal(clientSecret, contextOf(id));
  }

  /** Deletes a provider with its identities, and ends all that it let in; the caller calls {@link clear} after the transaction. */
  async remove(transaction: EntityManager, { id }: Pick<IdentityProvider, 'id'>): Promise<void> {
    await this.keys.revoke(transaction, { identityProviderId: id });
    await transaction.withRepository(this.providers).delete({ id });
  }

  /** Has the next look at a provider see what was changed. */
  clear(): void {
    this.cached.clear();
    this.ofIssuers.clear();
    this.ofAny.clear();
    this.caches.clear();
  }

  private get hasInstallation(): boolean {
    return this.settings.OIDC_ISSUER !== undefined;
  }
}
