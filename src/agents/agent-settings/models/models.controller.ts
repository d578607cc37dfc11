import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller, CurrentOrg, type OrgContext } from '../../../kernel/auth';
import { ModelPage, ModelSearch, ProviderPage } from './models.dto';
import { ModelsService } from './models.service';

@ApiTags('Agent settings')
@Access({ org: 'effective', scope: 'use_conversations' })
@Controller('api/v1/config')
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  @Get('models/search')
  @ApiOperation({
    summary: 'Search models',
    description:
      'Those that are set for you by the installation, in your settings, in profiles of yours and of the organization; ' +
      'and those that your agent server can call, if one runs. Their providers may want a key.',
  })
  @ApiOkResponse({ type: ModelPage, description: 'One page.' })
  searchModels(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() query: ModelSearch,
  ): Promise<ModelPage> {
    return this.models.models(caller, org, query);
  }

  @Get('providers/search')
  @ApiOperation({
    summary: 'Search providers of models',
    description:
      'Those of the models that are set for you, those that the organization is connected to, and those that your ' +
      'agent server knows, if one runs.',
  })
  @ApiOkResponse({ type: ProviderPage, description: 'One page.' })
  searchProviders(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() query: ModelSearch,
  ): Promise<ProviderPage> {
    return this.models.providers(caller, org, query);
  }
}
