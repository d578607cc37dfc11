import { DataSource } from 'typeorm';
import type { Caller, OrgContext } from '../auth';
import { type Page } from '../common';
import { DomainEvents } from '../domain-events';
import type { SecretCreate, SecretInfo, SecretSearch, SecretUpdate } from './secrets.dto';
import { UserSecretsRepository } from './user-secrets.repository';
/** Users' own secrets (docs/contract.md#secrets). */
export declare class SecretsService {
    private readonly database;
    private readonly secrets;
    private readonly events;
    constructor(database: DataSource, secrets: UserSecretsRepository, events: DomainEvents);
    /** The secrets that the caller's conversations in the organization get, without values. */
    search({ userId }: Caller, { orgId }: OrgContext, query: SecretSearch): Promise<Page<SecretInfo>>;
    /** @throws SecretNotFoundError */
    get({ userId }: Caller, { orgId }: OrgContext, name: string): Promise<SecretInfo>;
    /** @throws SecretExistsError, TooManySecretsError */
    create(caller: Caller, { name, value, description }: SecretCreate): Promise<SecretInfo>;
    /** @throws SecretNotFoundError, SecretOfAllOrganizationsError, SecretExistsError */
    update(caller: Caller, org: OrgContext, name: string, update: SecretUpdate): Promise<SecretInfo>;
    /** @throws SecretNotFoundError, SecretOfAllOrganizationsError */
    delete(caller: Caller, org: OrgContext, name: string): Promise<void>;
    /** The secret that the caller sees under a name, if the key may change it. */
    private changeable;
    private change;
}
