import { LlmOptions } from '../model-settings/llm-options.dto';
import { HIDDEN } from '../../../kernel/common';
import {
  type Permission,
  permissionsOf,
  ROLES,
  type Role,
  USER_KINDS,
  type UserKind,
} from '../../../kernel/auth';
import {
  boolean,
  dictionary,
  Field,
  list,
  model,
  number,
  oneOf,
  string,
  uuid,
} from '../../../kernel/validation';

/** Query of `GET /api/v1/users/me`. */
export class CurrentUserQuery {
  @Field(boolean(), {
    description: 'Whether to respond with the keys of models that you keep, to a running sandbox of yours.',
    example: false,
  })
  expose_secrets = false;
}

/** The model of a profile, as the software development kit takes it; its secrets as the key. */
export class ModelProfile extends LlmOptions {
  @Field(string(), { nullable: true, description: 'The model.', example: 'openai/gpt-5' })
  model!: string | null;

  @Field(string(), { nullable: true, description: 'Base address of its API.', example: null })
  base_url!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'Key that you keep for it, with `expose_secrets`; else null.',
    example: null,
  })
  api_key!: string | null;
}

/** The model profiles that a user may name: their own and those of the organization. */
class LlmProfiles {
  @Field(dictionary(model(() => ModelProfile)), { description: 'By name.' })
  profiles!: Record<string, ModelProfile>;

  @Field(string(), { nullable: true, description: 'Name of the active one.', example: 'Fast' })
  active!: string | null;
}

/** A tool server that sends events. */
class SseToolServer {
  @Field(string(), { description: 'Its address.', example: 'https://mcp.example.com/sse' })
  url!: string;

  @Field(string(), {
    nullable: true,
    description: 'Stands for the token that calls carry, which is never answered; null without one.',
    example: HIDDEN,
  })
  api_key!: string | null;
}

/** A tool server that answers calls of HTTP. */
class HttpToolServer extends SseToolServer {
  @Field(number(), { nullable: true, description: 'Seconds that a call may take.', example: null })
  timeout!: number | null;
}

/** A tool server that a command starts. */
class LocalToolServer {
  @Field(string(), { description: 'Its name.', example: 'tickets' })
  name!: string;

  @Field(string(), { description: 'The command that starts it.', example: 'uvx' })
  command!: string;

  @Field(list(string()), { description: 'Arguments of the command.', example: ['tickets'] })
  args!: readonly string[];

  @Field(dictionary(string()), { description: 'Its variables, values hidden.', example: { TOKEN: HIDDEN } })
  env!: Readonly<Record<string, string>>;
}

/** The tool servers that agents of a user get, as the software development kit reads them. */
export class McpConfig {
  @Field(list(model(() => SseToolServer)), { description: 'Those with the transport `sse`.' })
  sse_servers!: readonly SseToolServer[];

  @Field(list(model(() => HttpToolServer)), { description: 'Those with another transport and an address.' })
  shttp_servers!: readonly HttpToolServer[];

  @Field(list(model(() => LocalToolServer)), { description: 'Those with a command.' })
  stdio_servers!: readonly LocalToolServer[];
}

/** Response of `GET /api/v1/users/me`. */
export class CurrentUser {
  @Field(uuid(), { description: 'Id of the user.', example: '3f333df6-90a4-4fda-8dd3-9485d27cee36' })
  id!: string;

  @Field(uuid(), {
    description: 'The organization that requests of this kind act in.',
    example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  })
  org_id!: string;

  @Field(oneOf(USER_KINDS), { description: 'A person, or a service account.', example: 'person' })
  kind!: UserKind;

  @Field(string(), {
    nullable: true,
    description: 'E-mail address of the user; null for a service account.',
    example: 'member@example.com',
  })
  email!: string | null;

  @Field(string(), { nullable: true, description: 'Name of the user, if they gave one.', example: 'Robin' })
  name!: string | null;

  @Field(oneOf(ROLES), { description: 'What they are in the organization.', example: 'admin' })
  role!: Role;

  @Field(list(oneOf(permissionsOf('owner'))), {
    description: "What the caller's role allows.",
    example: permissionsOf('admin'),
  })
  permissions!: Permission[];

  @Field(string(), {
    nullable: true,
    description: 'Model of conversations that name none.',
    example: 'openai/gpt-5',
  })
  llm_model!: string | null;

  @Field(string(), {
    nullable: true,
    description: "Address of that model's API, without a user, password or query.",
    example: 'https://models.example.com/v1',
  })
  llm_base_url!: string | null;

  @Field(string(), {
    nullable: true,
    description:
      'Key that you keep for that model, with `expose_secrets`; else null. Keys of the organization and the installation are never answered.',
    example: null,
  })
  llm_api_key!: string | null;

  @Field(model(() => LlmProfiles), { description: 'Model profiles of the user.' })
  llm_profiles!: LlmProfiles;

  @Field(model(() => McpConfig), {
    description: 'Tool servers that agents of the user get, without secrets.',
  })
  mcp_config!: McpConfig;
}
