import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrgPath } from '../../../accounts/orgs';
import { Access, CurrentOrg, type OrgContext } from '../../../kernel/auth';
import { ModelPoliciesService } from '../policies/model-policies.service';
import { ModelPolicyResponse, ModelPolicyUpdate } from '../policies/model-policy.dto';
import { ModelPriceList, ModelPricesQuery, ModelRefusalList } from './model-prices.dto';
import { ModelFigures } from './model-figures';

@ApiTags('Agent settings')
@Controller('api/organizations/:org_id')
export class ModelPolicyController {
  constructor(
    private readonly policies: ModelPoliciesService,
    private readonly figures: ModelFigures,
  ) {}

  @Get('model-policy')
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({
    summary: 'Read which models may be used',
    description: 'What the organization decided, and what applies where it decided nothing.',
  })
  @ApiOkResponse({ type: ModelPolicyResponse, description: 'The policy.' })
  getModelPolicy(@Param() _path: OrgPath, @CurrentOrg() org: OrgContext): Promise<ModelPolicyResponse> {
    return this.policies.get(org.orgId);
  }

  @Put('model-policy')
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ApiOperation({
    summary: 'Set which models may be used',
    description:
      'Replaces all of it. What conversations start with, switch to and call through the gateway is held to it, profiles of members too, within two seconds.',
  })
  @ApiOkResponse({ type: ModelPolicyResponse, description: 'The policy as it is now.' })
  @ApiBody({
    type: ModelPolicyUpdate,
    examples: {
      'Two providers, and less for members': {
        value: {
          allowed_models: ['openai/gpt-5*', 'anthropic/*'],
          allowed_by_role: { member: ['openai/gpt-5-mini'] },
          max_output_tokens: 16_000,
        },
      },
      'No model at all': { value: { allowed_models: [] } },
      'As the installation has it': { value: {} },
    },
  })
  setModelPolicy(
    @Param() _path: OrgPath,
    @CurrentOrg() org: OrgContext,
    @Body() body: ModelPolicyUpdate,
  ): Promise<ModelPolicyResponse> {
    return this.policies.set(org.orgId, body);
  }

  @Get('model-prices')
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({
    summary: 'Read what models cost',
    description:
      'In dollars per million tokens. What is set for the installation counts before what comes with the service.',
  })
  @ApiOkResponse({ type: ModelPriceList, description: 'The prices that are known.' })
  getModelPrices(
    @Param() _path: OrgPath,
    @CurrentOrg() org: OrgContext,
    @Query() query: ModelPricesQuery,
  ): Promise<ModelPriceList> {
    return this.figures.prices(org, query.model ?? null);
  }

  @Get('model-refusals')
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({
    summary: 'Read which models were refused',
    description:
      'What was refused in the last day at starts, at changes of a model and by the gateway, counted.',
  })
  @ApiOkResponse({ type: ModelRefusalList, description: 'The refusals of the last day.' })
  getModelRefusals(@Param() _path: OrgPath, @CurrentOrg() org: OrgContext): Promise<ModelRefusalList> {
    return this.figures.refusals(org.orgId);
  }
}
