import { PAGE_ID_EXAMPLE } from '../../../kernel/common';
import {
  dateTime,
  type ExampleSource,
  Field,
  integer,
  list,
  model,
  oneOf,
  string,
  uuid,
} from '../../../kernel/validation';
import { SANDBOX_STATUSES, type SandboxStatus } from '../record/sandbox-view';

const id = '5b2f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e22';

/** A sandbox of the caller's, rather one that runs. */
export const OWN_SANDBOX: ExampleSource = {
  get: '/api/v1/sandboxes/search',
  list: 'items',
  value: 'id',
  prefer: { status: 'RUNNING' },
  none: 'You have no sandbox yet: start one with POST /api/v1/sandboxes.',
};

export class SandboxCreateQuery {
  @Field(string(), {
    optional: true,
    description: 'What kind of sandbox; see the sandbox specs. Default: the only one there is.',
    example: 'embedded',
  })
  sandbox_spec_id?: string;
}

export class SandboxGetQuery {
  @Field(list(uuid(), { min: 1, max: 100 }), {
    description: 'Ids of sandboxes; repeat it for several.',
    example: [id],
    exampleFrom: OWN_SANDBOX,
  })
  id!: string[];
}

export class SandboxSearchQuery {
  @Field(string(), {
    optional: true,
    description: '`next_page_id` of the page before.',
    example: PAGE_ID_EXAMPLE,
  })
  page_id?: string;

  @Field(integer({ ge: 1 }), { description: 'Size of the page; above 100 counts as 100.' })
  limit = 100;
}

export class SandboxPath {
  @Field(string(), {
    description: 'Id of the sandbox; what is no id of one is a 404.',
    example: id,
    exampleFrom: OWN_SANDBOX,
  })
  sandbox_id!: string;
}

export class SandboxSpecGetQuery {
  @Field(list(string(), { min: 1, max: 100 }), {
    description: 'Ids of sandbox specs; repeat it for several.',
    example: ['embedded'],
    exampleFrom: {
      get: '/api/v1/sandbox-specs/search',
      list: 'items',
      value: 'id',
      none: 'There is no kind of sandboxes.',
    },
  })
  id!: string[];
}

export class SandboxSpecSearchQuery {
  @Field(integer({ ge: 1 }), { description: 'Size of the page.' })
  limit = 100;
}

class ExposedUrl {
  @Field(string(), { description: 'What is reached there.', example: 'AGENT_SERVER' })
  name!: string;

  @Field(string(), { description: 'Address without a slash at the end.', example: 'http://127.0.0.1:20001' })
  url!: string;

  @Field(integer(), { description: 'Port of the host.', example: 20001 })
  port!: number;
}

/** A sandbox, with its status and how callers reach it. */
export class SandboxInfo {
  @Field(string(), { description: 'Id of the sandbox.', example: id })
  id!: string;

  @Field(uuid(), { description: 'Who made it.' })
  created_by_user_id!: string;

  @Field(string(), { description: 'What kind of sandbox it is.', example: 'embedded' })
  sandbox_spec_id!: string;

  @Field(oneOf(SANDBOX_STATUSES), { description: 'What it is doing.' })
  status!: SandboxStatus;

  @Field(string(), { nullable: true, description: 'Key of its agent server, while it is RUNNING.' })
  session_api_key!: string | null;

  @Field(list(model(() => ExposedUrl)), {
    nullable: true,
    description: 'Where it is reached, while it is RUNNING.',
  })
  exposed_urls!: ExposedUrl[] | null;

  @Field(dateTime(), { description: 'When it was made.' })
  created_at!: string;

  @Field(string(), { nullable: true, description: 'Why it is in this status.' })
  status_detail!: string | null;
}

export class SandboxPage {
  @Field(list(model(() => SandboxInfo)), { description: 'Sandboxes, newest first.' })
  items!: SandboxInfo[];

  @Field(string(), { nullable: true, description: 'Start of the next page; null on the last one.' })
  next_page_id!: string | null;
}

export class SandboxLogsQuery {
  @Field(integer({ ge: 1 }), { description: 'How many lines at most; above 1,000 counts as 1,000.' })
  limit = 200;
}

export class SandboxLogLines {
  @Field(list(string()), {
    description: 'The last lines, oldest first; those before the last 256 KiB are left out.',
    example: ['Embedded agent server listens on http://127.0.0.1:20001'],
  })
  lines!: string[];
}

export class SandboxSpecInfo {
  @Field(string(), { description: 'Id of the spec.', example: 'embedded' })
  id!: string;

  @Field(string(), { description: 'What runs there.' })
  description!: string;
}

export class SandboxSpecPage {
  @Field(list(model(() => SandboxSpecInfo)), { description: 'What kinds of sandboxes there are.' })
  items!: SandboxSpecInfo[];

  @Field(string(), { nullable: true, description: 'Always null: they fit one page.' })
  next_page_id!: string | null;
}

class SandboxSecretName {
  @Field(string(), { description: 'Name of the secret.', example: 'NPM_TOKEN' })
  name!: string;

  @Field(string(), { nullable: true, description: 'What it is for.', example: 'For publishing packages' })
  description!: string | null;
}

export class SandboxSecretNames {
  @Field(list(model(() => SandboxSecretName)), { description: 'The secrets, by name.' })
  secrets!: SandboxSecretName[];
}

export class SandboxSecretPath extends SandboxPath {
  @Field(string(), { description: 'Name of the secret.', example: 'NPM_TOKEN' })
  secret_name!: string;
}
