import { Injectable } from '@nestjs/common';
import { newId, storableOrNull, unlessHidden, appError, SecretBox } from '../../../kernel/common';
import { withId, OwnedRecords } from '../../../accounts/owned-records';
import { filled, keyAfter, originOf } from '../model-settings/model-fields';
import type {
  ProviderConnection,
  ProviderConnectionCreate,
  ProviderConnectionList,
  ProviderConnectionUpdate,
} from './provider-connections.dto';
import { MAX_CONNECTIONS } from '../record/text-limits';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { SealedColumn } from '../../../kernel/database';
import { DomainEvents } from '../../../kernel/domain-events';
import { ProviderConnectionRow } from './provider-connection.entity';

/** The column that stores the keys of provider connections. */
export const SEALED_CONNECTION_KEYS: SealedColumn = {
  table: 'provider_connections',
  column: 'sealed_api_key',
  contextOf: (id) => `provider-connection:${id}`,
};

/** A connection with its key decrypted. */
export type Connection = Omit<ProviderConnectionRow, 'sealedApiKey'> & { readonly apiKey: string | null };

/** Connections of organizations to model providers, with encrypted keys. */
@Injectable()
export class ProviderConnectionsRepository extends OwnedRecords<ProviderConnectionRow> {
  constructor(
    @InjectRepository(ProviderConnectionRow) stored: Repository<ProviderConnectionRow>,
    events: DomainEvents,
    private readonly box: SecretBox,
  ) {
    super(stored, events, 'provider_connections');
  }

  /** Ordered by provider. */
  async of(orgId: string, rows = this.stored): Promise<Connection[]> {
    const found = await rows.find({ where: { orgId }, order: { provider: 'ASC' } });
    return found.map(({ sealedApiKey, ...row }) => ({
      ...row,
      apiKey: this.box.open(sealedApiKey, SEALED_CONNECTION_KEYS.contextOf(row.id)),
    }));
  }

  /** Inserts a connection, or updates the one with its id. */
  async save(rows: Repository<ProviderConnectionRow>, { apiKey, ...connection }: Connection): Promise<void> {
    const sealedApiKey = this.box.seal(apiKey, SEALED_CONNECTION_KEYS.contextOf(connection.id));
    await rows.save({ ...connection, sealedApiKey });
  }
}

/** 404: the organization has no such connection. */
export const ConnectionNotFoundError = appError(
  404,
  'provider_connection_not_found',
  'The organization has no such connection.',
);

/** 409: there is one for this provider already. */
export const ConnectionExistsError = appError(
  409,
  'provider_connection_exists',
  'The organization has a connection for this provider already.',
);

/** 409: the limit of connections per organization is reached. */
export const TooManyConnectionsError = appError(
  409,
  'too_many_provider_connections',
  `The organization has ${MAX_CONNECTIONS} connections, which is the most there may be.`,
);

/** Connections of organizations to model providers (docs/contract.md#profiles). */
@Injectable()
export class ProviderConnectionsService {
  constructor(private readonly connections: ProviderConnectionsRepository) {}

  async list(orgId: string): Promise<ProviderConnectionList> {
    return { connections: (await this.connections.of(orgId)).map(toInfo) };
  }

  /** @throws ConnectionExistsError, TooManyConnectionsError */
  create(orgId: string, given: ProviderConnectionCreate): Promise<ProviderConnection> {
    const connection = {
      id: newId(),
      orgId,
      provider: given.provider,
      baseUrl: storableOrNull(filled(given.base_url)),
      apiKey: filled(unlessHidden(given.api_key)),
    };
    return this.connections.change({ userId: null, orgId }, async (rows) => {
      const present = await this.connections.of(orgId, rows);
      if (present.some(({ provider }) => provider === given.provider)) throw new ConnectionExistsError();
      if (present.length >= MAX_CONNECTIONS) throw new TooManyConnectionsError();
      await this.connections.save(rows, connection);
      return toInfo(connection);
    });
  }

  /** @throws ConnectionNotFoundError, ConnectionExistsError */
  update(orgId: string, id: string, given: ProviderConnectionUpdate): Promise<ProviderConnection> {
    return this.connections.change({ userId: null, orgId }, async (rows) => {
      const present = await this.connections.of(orgId, rows);
      const before = withId(present, id, ConnectionNotFoundError);
      const provider = given.provider ?? before.provider;
      if (present.some((other) => other.provider === provider && other.id !== before.id))
        throw new ConnectionExistsError();
      const baseUrl = given.base_url === undefined ? before.baseUrl : storableOrNull(filled(given.base_url));
      const stays = originOf(baseUrl) === originOf(before.baseUrl);
      const apiKey = keyAfter(given.api_key, before.apiKey, stays);
      const connection = { ...before, provider, baseUrl, apiKey };
      await this.connections.save(rows, connection);
      return toInfo(connection);
    });
  }

  /** @throws ConnectionNotFoundError */
  delete(orgId: string, text: string): Promise<void> {
    return this.connections.change({ userId: null, orgId }, async (rows) => {
      const { id } = withId(await this.connections.of(orgId, rows), text, ConnectionNotFoundError);
      await rows.delete({ id });
    });
  }
}

function toInfo({ id, provider, baseUrl, apiKey }: Connection): ProviderConnection {
  return { id, provider, base_url: baseUrl, api_key_set: apiKey !== null };
}
