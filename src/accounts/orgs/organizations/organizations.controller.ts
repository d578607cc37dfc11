import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller, CurrentOrg, type OrgContext } from '../../../kernel/auth';
import { ApiLinks } from '../../../kernel/http';
import {
  OrganizationPage,
  OrganizationResponse,
  OrganizationUpdate,
  OrgPath,
  PageQuery,
} from './organizations.dto';
import { OrganizationsService } from './organizations.service';

@ApiTags('Organizations')
@Controller('api/organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @Access({ scope: 'any' })
  @ApiOperation({
    summary: 'List your organizations',
    description: 'Those you are a member of, and which of them is the current one.',
  })
  @ApiOkResponse({ type: OrganizationPage, description: 'One page of them.' })
  @ApiLinks({
    getOrganization: { org_id: '$response.body#/items/0/id' },
    listOrgMembers: { org_id: '$response.body#/items/0/id' },
    listOrgConversations: { org_id: '$response.body#/items/0/id' },
    exportOrgConversations: { org_id: '$response.body#/items/0/id' },
  })
  listOrganizations(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<OrganizationPage> {
    return this.organizations.list(caller, query);
  }

  @Get(':org_id')
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({ summary: 'Read an organization', description: 'As its members see it.' })
  @ApiOkResponse({ type: OrganizationResponse, description: 'The organization.' })
  getOrganization(@Param() _path: OrgPath, @CurrentOrg() org: OrgContext): Promise<OrganizationResponse> {
    return this.organizations.get(org);
  }

  @Patch(':org_id')
  @Access({ org: 'path', permission: 'change_organization_name' })
  @ApiOperation({ summary: 'Rename an organization', description: 'Owners only.' })
  @ApiOkResponse({ type: OrganizationResponse, description: 'The organization with its new name.' })
  @ApiBody({ type: OrganizationUpdate, examples: { 'A new name': { value: { name: 'Tools team' } } } })
  renameOrganization(
    @Param() _path: OrgPath,
    @CurrentOrg() org: OrgContext,
    @Body() body: OrganizationUpdate,
  ): Promise<OrganizationResponse> {
    return this.organizations.rename(org, body.name);
  }

  @Post(':org_id/switch')
  @HttpCode(200)
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({
    summary: 'Switch to an organization',
    description: 'It becomes the one that requests without a selector act in.',
  })
  @ApiOkResponse({ type: OrganizationResponse, description: 'The organization, now the current one.' })
  switchOrganization(
    @Param() _path: OrgPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<OrganizationResponse> {
    return this.organizations.switchTo(caller, org);
  }
}
