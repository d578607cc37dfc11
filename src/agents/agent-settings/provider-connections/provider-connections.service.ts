import { Injectable } from '@nestjs/common';
import { newId, storableOrNull, unlessHidden } from '../../../kernel/common';
import { withId } from '../../../accounts/owned-records';
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
import { MAX_CONNECTIONS } from '../record/text-limits';
import { type Connection, ProviderConnectionsRepository } from './provider-connections.repository';

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
