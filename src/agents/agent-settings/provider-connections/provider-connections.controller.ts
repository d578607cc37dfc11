import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrgPath } from '../../../accounts/orgs';
import { Access, RecentSignIn } from '../../../kernel/auth';
import { ApiErrors, Success } from '../../../kernel/http';
import { PlainErrors } from '../../../kernel/validation';
import {
  ConnectionPath,
  ProviderConnection,
  ProviderConnectionCreate,
  ProviderConnectionList,
  ProviderConnectionUpdate,
} from './provider-connections.dto';
import {
  ConnectionExistsError,
  ConnectionNotFoundError,
  ProviderConnectionsService,
  TooManyConnectionsError,
} from './provider-connections.service';

const UNKNOWN = 'The organization has no such connection.';

@ApiTags('Agent settings')
@Controller('api/organizations/:org_id/provider-connections')
export class ProviderConnectionsController {
  constructor(private readonly connections: ProviderConnectionsService) {}

  @Get()
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({
    summary: "List an organization's connections to providers",
    description: 'Address and key of a provider, for models that nobody gave another one. Never the keys.',
  })
  @ApiOkResponse({ type: ProviderConnectionList, description: 'The connections.' })
  listProviderConnections(@Param() path: OrgPath): Promise<ProviderConnectionList> {
    return this.connections.list(path.org_id);
  }

  @Post()
  @RecentSignIn()
  @HttpCode(201)
  @PlainErrors()
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ApiOperation({
    summary: 'Connect an organization to a provider',
    description: 'Conversations use it for models whose names begin with the provider.',
  })
  @ApiCreatedResponse({ type: ProviderConnection, description: 'The connection.' })
  @ApiErrors(
    { 409: 'There is one for the provider, or there are as many as there may be.' },
    new ConnectionExistsError(),
    new TooManyConnectionsError(),
  )
  @ApiBody({
    type: ProviderConnectionCreate,
    examples: { 'A provider with its key': { value: { provider: 'openai', api_key: 'sk-example' } } },
  })
  createProviderConnection(
    @Param() path: OrgPath,
    @Body() body: ProviderConnectionCreate,
  ): Promise<ProviderConnection> {
    return this.connections.create(path.org_id, body);
  }

  @Patch(':connection_id')
  @RecentSignIn()
  @PlainErrors()
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ApiOperation({
    summary: 'Change a connection to a provider',
    description: 'What is absent stays; a null key takes it away.',
  })
  @ApiOkResponse({ type: ProviderConnection, description: 'The connection as it is now.' })
  @ApiErrors(
    { 404: UNKNOWN, 409: 'There is another one for the provider.' },
    new ConnectionNotFoundError(),
    new ConnectionExistsError(),
  )
  @ApiBody({
    type: ProviderConnectionUpdate,
    examples: { 'Another key': { value: { api_key: 'sk-example' } } },
  })
  updateProviderConnection(
    @Param() path: ConnectionPath,
    @Body() body: ProviderConnectionUpdate,
  ): Promise<ProviderConnection> {
    return this.connections.update(path.org_id, path.connection_id, body);
  }

  @Delete(':connection_id')
  @RecentSignIn()
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ApiOperation({ summary: 'Delete a connection to a provider', description: 'With its key.' })
  @ApiOkResponse({ type: Success, description: 'It is deleted.' })
  @ApiErrors({ 404: UNKNOWN }, new ConnectionNotFoundError())
  async deleteProviderConnection(@Param() path: ConnectionPath): Promise<Success> {
    await this.connections.delete(path.org_id, path.connection_id);
    return { success: true };
  }
}
