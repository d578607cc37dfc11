import { Body, Controller, Param, Query } from '@nestjs/common';
import { match } from 'path-to-regexp';
import {
  bodyOf,
  comparableVectors,
  detailsOf,
  expectedOutcomes,
  issuesOf,
  placesOf,
  type Outcome,
  type Vector,
} from '../../../../test/support/validation-vectors';
import { OrgAppQuery, OrgAppSettingsUpdate } from '../../../agents/app-settings/settings/app-settings.dto';
import { MarketplaceRegistration } from '../../../agents/skills';
import {
  BodyList,
  boolean,
  BodyParseError,
  commaList,
  dateTime,
  dictionary,
  email,
  Field,
  ForbidExtraKeys,
  integer,
  list,
  literal,
  model,
  oneOf,
  PlainErrors,
  RequestPlans,
  string,
  union,
  uuid,
  ValidationError,
  ValidationStatus,
} from '..';

const SCOPED = [
  'github',
  'gitlab',
  'bitbucket',
  'bitbucket_data_center',
  'forgejo',
  'azure_devops',
  'enterprise_sso',
] as const;
const TRIGGERS = [
  'resolver',
  'gui',
  'suggested_task',
  'openhands_api',
  'slack',
  'microagent_management',
  'jira',
  'jira_dc',
  'linear',
  'bitbucket',
  'automation',
] as const;

@ForbidExtraKeys()
class TextContent {
  @Field(boolean()) cache_prompt = false;
  @Field(literal('text')) type = 'text' as const;
  @Field(string()) text!: string;
}
class ImageContent {
  @Field(boolean()) cache_prompt = false;
  @Field(literal('image')) type = 'image' as const;
  @Field(list(string())) image_urls!: string[];
}
const blocks = union(
  () => TextContent,
  () => ImageContent,
);
class SendMessage {
  @Field(literal('user')) role = 'user' as const;
  @Field(list(blocks, { min: 1 })) content!: (TextContent | ImageContent)[];
  @Field(boolean()) run = true;
}
class PendingMessage {
  @Field(literal('user')) role = 'user' as const;
  @Field(list(blocks, { min: 1 })) content!: (TextContent | ImageContent)[];
}
class InitialMessage {
  @Field(literal('user', 'system', 'assistant', 'tool')) role: string = 'user';
  @Field(list(blocks)) content: (TextContent | ImageContent)[] = [];
  @Field(boolean()) run = false;
}
class Plugin {
  @Field(string()) source!: string;
  @Field(string(), { nullable: true }) ref: string | null = null;
  @Field(string(), { nullable: true }) repo_path: string | null = null;
  @Field(dictionary(), { nullable: true }) parameters: Record<string, unknown> | null = null;
}
class StartConversation {
  @Field(string(), { nullable: true }) sandbox_id: string | null = null;
  @Field(uuid(), { nullable: true }) conversation_id: string | null = null;
  @Field(model(() => InitialMessage), { nullable: true }) initial_message: InitialMessage | null = null;
  @Field(string(), { nullable: true }) llm_model: string | null = null;
  @Field(string(), { nullable: true }) selected_repository: string | null = null;
  @Field(string(), { nullable: true }) selected_branch: string | null = null;
  @Field(oneOf(SCOPED), { nullable: true }) git_provider: string | null = null;
  @Field(string(), { nullable: true }) title: string | null = null;
  @Field(oneOf(TRIGGERS), { nullable: true }) trigger: string | null = null;
  @Field(list(integer())) pr_number: number[] = [];
  @Field(uuid(), { nullable: true }) parent_conversation_id: string | null = null;
  @Field(oneOf(['default', 'plan'])) agent_type: string = 'default';
  @Field(list(model(() => Plugin)), { nullable: true }) plugins: Plugin[] | null = null;
}
class CreateKey {
  @Field(string(), { nullable: true }) name: string | null = null;
  @Field(dateTime(), { nullable: true }) expires_at: Date | null = null;
}
class Invite {
  @Field(list(email(), { min: 1, max: 100 })) emails!: string[];
  @Field(string()) role = 'member';
}
class ListQuery {
  @Field(string(), { nullable: true }) search: string | null = null;
  @Field(oneOf(['created_at', 'updated_at', 'llm_model', 'accumulated_cost', 'title'])) sort_by: string =
    'updated_at';
  @Field(oneOf(['desc', 'asc'])) sort_order: string = 'desc';
  @Field(commaList(oneOf(['idle', 'running', 'paused', 'finished', 'error', 'stuck'])))
  execution_status: string[] = [];
  @Field(oneOf(['STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING']), { nullable: true }) sandbox_status:
    | string
    | null = null;
  @Field(oneOf(['all', '7d', '30d', '90d'])) time_window: string = 'all';
  @Field(integer({ ge: 1 })) page = 1;
  @Field(integer({ ge: 1, le: 100 })) per_page = 20;
  @Field(boolean()) include_sub_conversations = false;
}
class OrgPath {
  @Field(uuid()) org_id!: string;
}
class OrgConversationPath {
  @Field(uuid()) org_id!: string;
  @Field(string()) conversation_id!: string;
}
class IdPath {
  @Field(uuid()) id!: string;
}
class ConversationPath {
  @Field(uuid()) conversation_id!: string;
}
class QueuePath {
  @Field(string()) conversation_id!: string;
}
class EventPath {
  @Field(uuid()) conversation_id!: string;
  @Field(string()) event_id!: string;
}

/** The operations of the vectors, as far as their requests go. */
@Controller()
class Operations {
  getSettings(@Query() query: OrgAppQuery): unknown {
    return query;
  }
  saveSettings(@Query() query: OrgAppQuery, @Body() body: OrgAppSettingsUpdate): unknown {
    return { query, body };
  }
  send(@Param() path: ConversationPath, @Body() body: SendMessage): unknown {
    return { path, body };
  }
  preview(@BodyList(MarketplaceRegistration, { max: 20 }) body: MarketplaceRegistration[]): unknown {
    return body;
  }
  invite(@Param() path: OrgPath, @Body() body: Invite): unknown {
    return { path, body };
  }
  list(@Param() path: OrgPath, @Query() query: ListQuery): unknown {
    return { path, query };
  }
  get(@Param() path: OrgConversationPath): unknown {
    return path;
  }
  @ValidationStatus(400)
  queue(@Param() path: QueuePath, @Body() body: PendingMessage): unknown {
    return { path, body };
  }
  @PlainErrors()
  event(@Param() path: EventPath): unknown {
    return path;
  }
  start(@Body() body: StartConversation): unknown {
    return body;
  }
  record(@Param() path: IdPath): unknown {
    return path;
  }
  createKey(@Body() body: CreateKey): unknown {
    return body;
  }
  resume(): unknown {
    return null;
  }
}

const routes: readonly (readonly [string, string, keyof Operations])[] = [
  ['GET', '/api/organizations/app', 'getSettings'],
  ['POST', '/api/organizations/app', 'saveSettings'],
  ['POST', '/api/v1/app-conversations/:conversation_id/send-message', 'send'],
  ['POST', '/api/v1/skills/marketplace-skills', 'preview'],
  ['POST', '/api/organizations/:org_id/members/invite', 'invite'],
  ['GET', '/api/organizations/:org_id/conversations', 'list'],
  ['GET', '/api/organizations/:org_id/conversations/:conversation_id', 'get'],
  ['POST', '/api/v1/conversations/:conversation_id/pending-messages', 'queue'],
  ['GET', '/api/conversations/:conversation_id/events/:event_id', 'event'],
  ['POST', '/api/v1/app-conversations', 'start'],
  ['GET', '/api/v1/app-conversations/:id', 'record'],
  ['POST', '/api/keys', 'createKey'],
  ['POST', '/api/v1/sandboxes/:id/resume', 'resume'],
];

function answer(vector: Vector): Outcome {
  for (const [method, path, handler] of routes) {
    const matched = vector.method === method && match(path)(vector.path);
    if (!matched) continue;
    try {
      const plan = RequestPlans.for(Operations, handler);
      const contentType = Object.entries(vector.headers).find(
        ([name]) => name.toLowerCase() === 'content-type',
      )?.[1];
      const body = plan.hasBody ? plan.parseBody(bodyOf(vector), contentType) : undefined;
      const { issues } = plan.check({
        params: matched.params,
        rawQuery: vector.query,
        headers: vector.headers,
        body,
      });
      if (issues.length > 0) throw plan.error(issues);
      return { status: 200, issues: [] };
    } catch (error) {
      if (error instanceof ValidationError) {
        return { status: error.status, issues: issuesOf(JSON.parse(error.toJsonText())) };
      }
      if (error instanceof BodyParseError) return { status: error.status, issues: [] };
      throw error;
    }
  }
  throw new Error(`No operation for ${vector.method} ${vector.path}`);
}

const vectors = comparableVectors();

describe.each([...new Set(vectors.map(({ tags }) => tags[0]))])('%s', (operation) => {
  const ofOperation = vectors.filter(({ tags }) => tags[0] === operation);

  it.each(ofOperation.map((vector) => [vector.id, vector.note, vector] as const))(
    '%s: %s',
    (_id, _note, vector) => {
      const expected = expectedOutcomes(vector);
      const outcome = answer(vector);
      const right = expected.find(
        (one) => JSON.stringify(placesOf(one)) === JSON.stringify(placesOf(outcome)),
      );
      expect(detailsOf(outcome)).toEqual(detailsOf(right ?? expected[0]!));
    },
  );
});
