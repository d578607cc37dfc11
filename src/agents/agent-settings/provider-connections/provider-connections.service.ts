import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { newId, parseUuid, storableOrNull, unlessHidden } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import { filled, keyAfter, originOf } from '../model-settings/model-fields';
import type {
  ProviderConnection,
  ProviderConnectionCreate,
  ProviderConnectionList,
  ProviderConnectionUpdate,
} from './provider-connections.dto';
import {
  ConnectionExistsError,
  ConnectionNotFoundError,
  TooManyConnectionsError,
} from './provider-connections.errors';
import { type Connection, ProviderConnectionsRepository } from './provider-connections.repository';

/** Connections per organization. */
export const MAX_CONNECTIONS = 50;

/** Connections of organizations to model providers (docs/contract.md#profiles). */
@Injectable()
export class ProviderConnectionsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly connections: ProviderConnectionsRepository,
    private readonly events: DomainEvents,
  ) {}

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
    return this.change(orgId, async (transaction, present) => {
      if (present.some(({ provider }) => provider === given.provider)) throw new ConnectionExistsError();
      if (present.length >= MAX_CONNECTIONS) throw new TooManyConnectionsError(MAX_CONNECTIONS);
      await this.connections.save(transaction, connection);
      return toInfo(connection);
    });
  }

  /** @throws ConnectionNotFoundError, ConnectionExistsError */
  update(orgId: string, id: string, given: ProviderConnectionUpdate): Promise<ProviderConnection> {
    return this.change(orgId, async (transaction, present) => {
      const before = withId(present, id);
      const provider = given.provider ?? before.provider;
      if (present.some((other) => other.provider === provider && other.id !== before.id))
        throw new ConnectionExistsError();
      const baseUrl = given.base_url === undefined ? before.baseUrl : storableOrNull(filled(given.base_url));
      const stays = originOf(baseUrl) === originOf(before.baseUrl);
      const apiKey = keyAfter(given.api_key, before.apiKey, stays);
      const connection = { ...before, provider, baseUrl, apiKey };
      await this.connections.save(transaction, connection);
      return toInfo(connection);
    });
  }

  /** @throws ConnectionNotFoundError */
  delete(orgId: string, id: string): Promise<void> {
    return this.change(orgId, (transaction, present) =>
      this.connections.delete(transaction, withId(present, id).id),
    );
  }

  private change<T>(
    orgId: string,
    work: (transaction: EntityManager, present: readonly Connection[]) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (transaction) => {
      await this.connections.lock(transaction, orgId);
      const result = await work(transaction, await this.connections.of(orgId, transaction));
      await this.events.publish(transaction, {
        kind: 'settings.updated',
        org_id: orgId,
        user_id: null,
        fields: ['provider_connections'],
      });
      return result;
    });
  }
}

function withId(connections: readonly Connection[], text: string): Connection {
  const id = parseUuid(text);
  const found = connections.find((connection) => connection.id === id);
  if (found === undefined) throw new ConnectionNotFoundError();
  return found;
}

function toInfo({ id, provider, baseUrl, apiKey }: Connection): ProviderConnection {
  return { id, provider, base_url: baseUrl, api_key_set: apiKey !== null };
}
