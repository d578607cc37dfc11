import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
} from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import { WebhookOperationsService } from './webhook-operations.service';
import { WebhookPath, WebhookResponse, WebhookWithSecret } from './webhooks.dto';
import { WebhookNotFoundError } from './webhooks.repository';

const NOT_FOUND = { 404: 'The organization has no such webhook.' };

@ApiTags('Webhooks')
@Access({ org: 'path', permission: 'manage_webhooks' })
@Controller('api/organizations/:org_id/webhooks/:webhook_id')
export class WebhookOperationsController {
  constructor(private readonly webhooks: WebhookOperationsService) {}

  @Post('disable')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Disable a webhook',
    description: 'Nothing more is sent. What waits fails, and can be replayed when it is enabled again.',
  })
  @ApiOkResponse({ type: WebhookResponse, description: 'The webhook, disabled.' })
  @ApiErrors(NOT_FOUND, new WebhookNotFoundError())
  disableWebhook(@Param() path: WebhookPath, @CurrentOrg() org: OrgContext): Promise<WebhookResponse> {
    return this.webhooks.disable(org, path.webhook_id);
  }

  @Post('enable')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Enable a webhook',
    description: 'What happens from now on is sent again; what failed before can be replayed.',
  })
  @ApiOkResponse({ type: WebhookResponse, description: 'The webhook, enabled.' })
  @ApiErrors(NOT_FOUND, new WebhookNotFoundError())
  enableWebhook(
    @Param() path: WebhookPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<WebhookResponse> {
    return this.webhooks.enable(caller, org, path.webhook_id);
  }

  @Post('rotate-secret')
  @RecentSignIn()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Rotate the secret of a webhook',
    description: 'For 24 hours callbacks carry a signature with the new and one with the present secret.',
  })
  @ApiOkResponse({
    type: WebhookWithSecret,
    description: 'The webhook with its new secret, shown this once.',
  })
  @ApiErrors(NOT_FOUND, new WebhookNotFoundError())
  rotateWebhookSecret(
    @Param() path: WebhookPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<WebhookWithSecret> {
    return this.webhooks.rotateSecret(caller, org, path.webhook_id);
  }
}
