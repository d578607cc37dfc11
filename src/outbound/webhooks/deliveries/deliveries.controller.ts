import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller, CurrentOrg, type OrgContext } from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import { WebhookPath } from '../endpoints/webhooks.dto';
import { WebhookDisabledError, WebhookNotFoundError } from '../endpoints/webhooks.repository';
import {
  WebhookDeliveriesQuery,
  WebhookDeliveryDetails,
  WebhookDeliveryPage,
  WebhookDeliveryPath,
  WebhookDeliveryResponse,
  WebhookReplay,
  WebhookReplayed,
} from './deliveries.dto';
import { DeliveriesService, WebhookDeliveryNotFoundError } from './deliveries.service';

const NOT_FOUND = { 404: 'The organization has no such webhook.' };
const NO_DELIVERY = { 404: 'There is no such webhook, or it has no such delivery.' };
const DISABLED = { 409: 'The webhook is disabled.' };

@ApiTags('Webhooks')
@Access({ org: 'path', permission: 'manage_webhooks' })
@Controller('api/organizations/:org_id/webhooks/:webhook_id')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Post('test')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send a test',
    description:
      'A callback of type `webhook.test`, whatever the filters; its delivery says what came of it.',
  })
  @ApiAcceptedResponse({ type: WebhookDeliveryResponse, description: 'The delivery of the test.' })
  @ApiErrors({ ...NOT_FOUND, ...DISABLED }, new WebhookNotFoundError(), new WebhookDisabledError())
  testWebhook(@Param() path: WebhookPath, @CurrentOrg() org: OrgContext): Promise<WebhookDeliveryResponse> {
    return this.deliveries.test(org, path.webhook_id);
  }

  @Get('deliveries')
  @ApiOperation({ summary: 'List the deliveries of a webhook', description: 'The newest first.' })
  @ApiOkResponse({ type: WebhookDeliveryPage, description: 'One page of them.' })
  @ApiErrors(NOT_FOUND, new WebhookNotFoundError())
  listWebhookDeliveries(
    @Param() path: WebhookPath,
    @CurrentOrg() org: OrgContext,
    @Query() query: WebhookDeliveriesQuery,
  ): Promise<WebhookDeliveryPage> {
    return this.deliveries.list(org, path.webhook_id, query);
  }

  @Get('deliveries/:delivery_id')
  @ApiOperation({
    summary: 'Read a delivery',
    description:
      'With each attempt: when, how long, and what was answered. A row of the audit log needs `view_audit_log`, too.',
  })
  @ApiOkResponse({ type: WebhookDeliveryDetails, description: 'The delivery.' })
  @ApiErrors(NO_DELIVERY, new WebhookNotFoundError(), new WebhookDeliveryNotFoundError())
  getWebhookDelivery(
    @Param() path: WebhookDeliveryPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<WebhookDeliveryDetails> {
    return this.deliveries.get(caller, org, path.webhook_id, path.delivery_id);
  }

  @Post('deliveries/:delivery_id/replay')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send a delivery again',
    description: 'Under the same id, after what is waiting. A pending one stays as it is.',
  })
  @ApiAcceptedResponse({ type: WebhookDeliveryResponse, description: 'The delivery, pending.' })
  @ApiErrors(
    { ...NO_DELIVERY, ...DISABLED },
    new WebhookNotFoundError(),
    new WebhookDeliveryNotFoundError(),
    new WebhookDisabledError(),
  )
  replayWebhookDelivery(
    @Param() path: WebhookDeliveryPath,
    @CurrentOrg() org: OrgContext,
  ): Promise<WebhookDeliveryResponse> {
    return this.deliveries.replay(org, path.webhook_id, path.delivery_id);
  }

  @Post('replay')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send failed deliveries again',
    description: 'Those since a time, the oldest first, at most 1,000; the same call goes on with the rest.',
  })
  @ApiAcceptedResponse({ type: WebhookReplayed, description: 'How many are sent again.' })
  @ApiErrors({ ...NOT_FOUND, ...DISABLED }, new WebhookNotFoundError(), new WebhookDisabledError())
  @ApiBody({
    type: WebhookReplay,
    examples: { 'Since an outage': { value: { since: '2026-11-21T09:30:00.000Z' } } },
  })
  replayWebhookDeliveries(
    @Param() path: WebhookPath,
    @CurrentOrg() org: OrgContext,
    @Body() body: WebhookReplay,
  ): Promise<WebhookReplayed> {
    return this.deliveries.replayFailed(org, path.webhook_id, body.since);
  }
}
