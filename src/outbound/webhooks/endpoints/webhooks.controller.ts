import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrgPath } from '../../../accounts/orgs';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
} from '../../../kernel/auth';
import { ApiErrors, Success } from '../../../kernel/http';
import { PlainErrors } from '../../../kernel/validation';
import {
  WebhookCreate,
  WebhookPage,
  WebhookPath,
  WebhookResponse,
  WebhooksQuery,
  WebhookUpdate,
  WebhookWithSecret,
} from './webhooks.dto';
import { TooManyWebhooksError, WebhookNotFoundError } from './webhooks.repository';
import { WebhooksService } from './webhooks.service';

const NOT_FOUND = { 404: 'The organization has no such webhook.' };

@ApiTags('Webhooks')
@Access({ org: 'path', permission: 'manage_webhooks' })
@Controller('api/organizations/:org_id/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @ApiOperation({ summary: 'List the webhooks', description: 'In pages, in a fixed order; without secrets.' })
  @ApiOkResponse({ type: WebhookPage, description: 'One page of them.' })
  listWebhooks(
    @Param() _path: OrgPath,
    @CurrentOrg() org: OrgContext,
    @Query() query: WebhooksQuery,
  ): Promise<WebhookPage> {
    return this.webhooks.list(org, query);
  }

  @Post()
  @RecentSignIn()
  @HttpCode(201)
  @PlainErrors()
  @ApiOperation({
    summary: 'Make a webhook',
    description:
      'Whatever happens from now on and passes its filters is posted to its address, signed with its secret. Rows of the audit log (`audit.*`) need `view_audit_log`, too.',
  })
  @ApiCreatedResponse({
    type: WebhookWithSecret,
    description: 'The webhook with its secret, shown this once.',
  })
  @ApiErrors({ 409: 'The organization has as many as it may have.' }, new TooManyWebhooksError())
  @ApiBody({
    type: WebhookCreate,
    examples: {
      'Everything of conversations': {
        value: { url: 'https://hooks.example.com/conversations', kinds: ['conversation.*'] },
      },
      'The audit log': {
        value: { url: 'https://siem.example.com/audit', kinds: ['audit.*'] },
      },
      'Messages of agents in some conversations': {
        value: {
          url: 'https://hooks.example.com/messages',
          kinds: ['MessageEvent'],
          tags: { team: 'tools' },
        },
      },
    },
  })
  createWebhook(
    @Param() _path: OrgPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: WebhookCreate,
  ): Promise<WebhookWithSecret> {
    return this.webhooks.create(caller, org, body);
  }

  @Get(':webhook_id')
  @ApiOperation({ summary: 'Read a webhook', description: 'Without its secret.' })
  @ApiOkResponse({ type: WebhookResponse, description: 'The webhook.' })
  @ApiErrors(NOT_FOUND, new WebhookNotFoundError())
  getWebhook(@Param() path: WebhookPath, @CurrentOrg() org: OrgContext): Promise<WebhookResponse> {
    return this.webhooks.get(org, path.webhook_id);
  }

  @Patch(':webhook_id')
  @RecentSignIn()
  @PlainErrors()
  @ApiOperation({
    summary: 'Change a webhook',
    description:
      'What is absent stays. What is waiting already goes to the new address. One that has rows of the audit log sent needs `view_audit_log`, too.',
  })
  @ApiOkResponse({ type: WebhookResponse, description: 'The webhook as it is now.' })
  @ApiErrors(NOT_FOUND, new WebhookNotFoundError())
  @ApiBody({
    type: WebhookUpdate,
    examples: { 'Other kinds': { value: { kinds: ['conversation.*', 'message.failed'] } } },
  })
  updateWebhook(
    @Param() path: WebhookPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: WebhookUpdate,
  ): Promise<WebhookResponse> {
    return this.webhooks.update(caller, org, path.webhook_id, body);
  }

  @Delete(':webhook_id')
  @RecentSignIn()
  @ApiOperation({ summary: 'Delete a webhook', description: 'With its deliveries; nothing more is sent.' })
  @ApiOkResponse({ type: Success, description: 'It is deleted.' })
  @ApiErrors(NOT_FOUND, new WebhookNotFoundError())
  async deleteWebhook(
    @Param() path: WebhookPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<Success> {
    await this.webhooks.delete(caller, org, path.webhook_id);
    return { success: true };
  }
}
