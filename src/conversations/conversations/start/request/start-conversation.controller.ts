import { Body, Controller, Get, Header, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { BudgetExhaustedError, EXHAUSTED_EXAMPLE } from '../../../../agents/budgets';
import { ProfileNotFoundError } from '../../../../agents/agent-settings';
import { ModelNotAllowedError } from '../../../../agents/model-policy';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  personOf,
} from '../../../../kernel/auth';
import {
  ResponseTooLargeError,
  ApiErrors,
  ApiLinks,
  BodyText,
  IGNORED_FIELDS_HEADER,
  type JsonResponse,
  ReportsIgnoredFields,
  TooManyLargeResponsesError,
} from '../../../../kernel/http';
import { Idempotent } from '../../../../kernel/idempotency';
import { ConcurrencyLimitReachedError, DriverNotAvailableError } from '../../../../sandboxes/sandboxes';
import {
  ConversationIdInUseError,
  ParentNotFoundError,
  RepositoryAddressInvalidError,
  RoleNotSupportedError,
  SandboxNotFoundError,
  SharingNotSupportedError,
  StartFieldNotSupportedError,
  SuggestedTaskWithMessageError,
} from '../../record/conversations.errors';
import { contentJson } from '../../send-message/send-message.dto';
import { AppConversationStartRequest } from '../tasks/start-conversation.dto';
import {
  AppConversationStartTask,
  AppConversationStartTaskPage,
  StartTaskFilter,
  StartTaskIdsQuery,
  StartTaskSearch,
} from '../tasks/start-task.dto';
import { StartConversationService } from './start-conversation.service';
import { StartTaskStream } from '../tasks/start-task-stream';
import { StartTasksService } from '../tasks/start-tasks.service';

const FAILURES = {
  402: 'A budget that the conversation would count for is exhausted.',
  403: 'There are no sandboxes for the organization, or the model is not allowed there.',
  400: 'The initial message has a role other than user, something is asked for that no conversation can start with, or no clone could take the repository.',
  404: 'The sandbox, the parent conversation or the agent profile is not the caller’s.',
  409: 'A conversation with the chosen id exists already.',
  429: 'The cap on sandboxes is reached.',
};

const ERRORS = [
  new RoleNotSupportedError(),
  new SharingNotSupportedError(),
  new StartFieldNotSupportedError('processors'),
  new RepositoryAddressInvalidError('the address must not carry a password'),
  new SuggestedTaskWithMessageError(),
  new DriverNotAvailableError(),
  new SandboxNotFoundError(),
  new ParentNotFoundError(),
  new ProfileNotFoundError(),
  new ConversationIdInUseError(),
  new ModelNotAllowedError('openai/gpt-5', 'the organization allows others only.'),
  new BudgetExhaustedError(EXHAUSTED_EXAMPLE),
  new ConcurrencyLimitReachedError(20, 'organization', 840),
];

const JSON_TYPE = 'application/json; charset=utf-8';
const MANY = 'Too many large answers are being sent.';

const START_EXAMPLES = {
  'A first message': {
    value: { initial_message: { role: 'user', content: [{ type: 'text', text: 'Say hello.' }] } },
  },
  'On a repository': {
    value: {
      initial_message: { role: 'user', content: [{ type: 'text', text: 'Fix the flaky login test.' }] },
      selected_repository: 'acme/shop',
      selected_branch: 'main',
      git_provider: 'github',
      title: 'Fix the login',
    },
  },
  'With instructions of your own': {
    value: {
      initial_message: { role: 'user', content: [{ type: 'text', text: 'What does this repository do?' }] },
      system_message_suffix: 'Answer in the language of the question.',
    },
  },
  'Without a message yet': { value: {} },
};

@ApiTags('Conversations')
@Controller('api/v1/app-conversations')
export class StartConversationController {
  constructor(
    private readonly starts: StartConversationService,
    private readonly tasks: StartTasksService,
    private readonly stream: StartTaskStream,
  ) {}

  @Post()
  @HttpCode(200)
  @Idempotent()
  @ReportsIgnoredFields()
  @Access({ org: 'effective', scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Start a conversation',
    description:
      'Answers a start task at once; the start itself goes on as a durable job. Follow it with `GET /api/v1/app-conversations/start-tasks?ids=`.',
  })
  @ApiOkResponse({
    type: AppConversationStartTask,
    description: 'The task of the start.',
    headers: IGNORED_FIELDS_HEADER,
  })
  @ApiLinks({
    batchGetStartTasks: { ids: '$response.body#/id' },
    queuePendingMessage: { conversation_id: '$response.body#/id' },
  })
  @ApiErrors(FAILURES, ...ERRORS)
  @ApiBody({ type: AppConversationStartRequest, examples: START_EXAMPLES })
  startAppConversation(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: AppConversationStartRequest,
    @BodyText() text: string,
  ): Promise<AppConversationStartTask> {
    return this.starts.start(personOf(caller, org), body, contentJson(text, ['initial_message', 'content']));
  }

  @Post('stream-start')
  @HttpCode(200)
  @ReportsIgnoredFields()
  @Access({ org: 'effective', scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Start a conversation and follow its start',
    description:
      'One JSON array of start tasks, written as it happens: each state of the task until READY or ERROR.',
  })
  @ApiOkResponse({
    type: [AppConversationStartTask],
    description: 'The states of the task, in their order.',
    headers: IGNORED_FIELDS_HEADER,
  })
  @ApiErrors(FAILURES, ...ERRORS)
  @ApiBody({ type: AppConversationStartRequest, examples: START_EXAMPLES })
  async streamAppConversationStart(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: AppConversationStartRequest,
    @BodyText() text: string,
    @Res() response: Response,
  ): Promise<void> {
    const task = await this.starts.start(
      personOf(caller, org),
      body,
      contentJson(text, ['initial_message', 'content']),
    );
    await this.stream.write(task, response);
  }

  @Get('start-tasks/count')
  @Header('Content-Type', JSON_TYPE)
  @Access({ org: 'effective', scope: 'use_conversations' })
  @ApiOperation({
    summary: "Count the caller's start tasks",
    description: 'Takes the filters of the search.',
  })
  @ApiOkResponse({ schema: { type: 'integer', example: 12 }, description: 'The number.' })
  countStartTasks(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() query: StartTaskFilter,
  ): Promise<number> {
    return this.tasks.count(caller, org.orgId, query);
  }

  @Get('start-tasks')
  @Header('Content-Type', JSON_TYPE)
  @Access({ scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Read start tasks',
    description: 'In the order of the ids; null for what is not the caller’s.',
  })
  @ApiOkResponse({
    schema: {
      type: 'array',
      items: { anyOf: [{ $ref: '#/components/schemas/AppConversationStartTask' }, { type: 'null' }] },
    },
    description: 'One entry per id.',
  })
  @ApiLinks({
    getAppConversation: { id: '$response.body#/0/app_conversation_id' },
    searchConversationEvents: { conversation_id: '$response.body#/0/app_conversation_id' },
    batchGetSandboxes: { id: '$response.body#/0/sandbox_id' },
  })
  @ApiErrors(
    { 413: 'The tasks have more than 16 MiB together.', 429: MANY },
    new ResponseTooLargeError(),
    new TooManyLargeResponsesError(),
  )
  batchGetStartTasks(
    @CurrentCaller() caller: Caller,
    @Query() query: StartTaskIdsQuery,
  ): Promise<JsonResponse> {
    return this.tasks.getMany(caller, query.ids);
  }

  @Get('start-tasks/search')
  @Header('Content-Type', JSON_TYPE)
  @Access({ org: 'effective', scope: 'use_conversations' })
  @ApiOperation({ summary: "Search the caller's start tasks", description: 'Newest first, page by page.' })
  @ApiOkResponse({ type: AppConversationStartTaskPage, description: 'One page.' })
  @ApiLinks({
    batchGetStartTasks: { ids: '$response.body#/items/0/id' },
    searchStartTasks: { page_id: '$response.body#/next_page_id' },
  })
  @ApiErrors({ 429: MANY }, new TooManyLargeResponsesError())
  searchStartTasks(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() query: StartTaskSearch,
  ): Promise<JsonResponse> {
    return this.tasks.search(caller, org.orgId, query);
  }
}
