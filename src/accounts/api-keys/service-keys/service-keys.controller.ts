import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ServiceAccess, ServiceAccessOffError } from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import { NoSuchMemberError, TooManyServiceKeysError } from '../api-keys.errors';
import {
  MAX_SERVICE_KEYS,
  ServiceKeyCreate,
  ServiceKeyCreated,
  ServiceKeyPath,
  ServiceKeys,
} from './service-keys.service';

@ApiTags('Calls of other services')
@Controller('api/service/users/:user_id/orgs/:org_id/api-keys')
export class ServiceKeysController {
  constructor(private readonly keys: ServiceKeys) {}

  @Post()
  @HttpCode(200)
  @ServiceAccess()
  @ApiOperation({
    summary: 'Make a key for a member',
    description:
      'For another service that acts for a member, as one for automations does. The key is bound to the organization and works for a day. Turned off without `SERVICE_API_KEY`.',
  })
  @ApiOkResponse({ type: ServiceKeyCreated, description: 'The key, with its text.' })
  @ApiErrors(
    {
      404: 'The user is no member of the organization, or the operation is turned off.',
      429: 'The member has as many of these keys in the organization as there may be.',
    },
    new NoSuchMemberError(),
    new ServiceAccessOffError(),
    new TooManyServiceKeysError(MAX_SERVICE_KEYS, 3_600),
  )
  @ApiBody({ type: ServiceKeyCreate, examples: { 'For automations': { value: { name: 'automation' } } } })
  createServiceKey(
    @Param() path: ServiceKeyPath,
    @Body() body: ServiceKeyCreate,
  ): Promise<ServiceKeyCreated> {
    return this.keys.create({ userId: path.user_id, orgId: path.org_id }, body.name);
  }
}
