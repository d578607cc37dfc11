import { OrgPath } from '../../../accounts/orgs';
import { boolean, Field, list, model, string, uuid } from '../../../kernel/validation';
import { baseUrl, modelKey } from '../model-settings/model-fields';
import { MAX_PROVIDER } from '../record/text-limits';

const PROVIDER = /^[a-z0-9][a-z0-9_.-]*$/;

const providerName = () => string({ trim: true, maxLength: MAX_PROVIDER, rule: providerProblem });

function providerProblem(text: string): string | null {
  return PROVIDER.test(text) ? null : 'a provider is what names of its models begin with, such as openai';
}

const key = () =>
  Field(modelKey(), {
    optional: true,
    nullable: true,
    description: 'Key for that API. Kept encrypted; never answered.',
    example: 'sk-example',
  });

const address = () =>
  Field(baseUrl(), {
    optional: true,
    nullable: true,
    description: 'Base address of its API; null for that of the provider. With another host the key goes.',
    example: null,
  });

export class ConnectionPath extends OrgPath {
  @Field(string(), {
    description: 'Id of the connection; what is no id of one is a 404.',
    example: '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11',
    exampleFrom: {
      get: '/api/organizations/{org_id}/provider-connections',
      list: 'connections',
      value: 'id',
      none: 'The organization has no connection: make one with POST.',
    },
  })
  connection_id!: string;
}

/** A connection to a provider of models, without its key. */
export class ProviderConnection {
  @Field(uuid(), { description: 'Its id.', example: '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11' })
  id!: string;

  @Field(string(), { description: 'What names of its models begin with.', example: 'openai' })
  provider!: string;

  @Field(string(), { nullable: true, description: 'Base address of its API.', example: null })
  base_url!: string | null;

  @Field(boolean(), { description: 'Whether there is a key for it, which is never answered.', example: true })
  api_key_set!: boolean;
}

export class ProviderConnectionList {
  @Field(list(model(() => ProviderConnection)), { description: 'The connections, by provider.' })
  connections!: ProviderConnection[];
}

export class ProviderConnectionCreate {
  @Field(providerName(), { description: 'What names of its models begin with.', example: 'openai' })
  provider!: string;

  @address()
  base_url?: string | null;

  @key()
  api_key?: string | null;
}

export class ProviderConnectionUpdate {
  @Field(providerName(), { optional: true, description: 'What names of its models begin with.' })
  provider?: string;

  @address()
  base_url?: string | null;

  @key()
  api_key?: string | null;
}
