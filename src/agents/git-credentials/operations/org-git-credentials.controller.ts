import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrgPath } from '../../../accounts/orgs';
import { Access, RecentSignIn } from '../../../kernel/auth';
import type { Success } from '../../../kernel/http';
import { GitCredentialsService } from '../git-credentials.service';
import {
  CreateGitCredential,
  DeleteGitCredential,
  ListGitCredentials,
  UpdateGitCredential,
} from './git-credential-operations';
import {
  GitCredential,
  GitCredentialCreate,
  GitCredentialList,
  GitCredentialUpdate,
  OrgGitCredentialPath,
} from './git-credentials.dto';

@ApiTags('Git')
@Access({ org: 'path', permission: 'edit_org_settings' })
@Controller('api/organizations/:org_id/git-credentials')
export class OrgGitCredentialsController {
  constructor(private readonly credentials: GitCredentialsService) {}

  @Get()
  @ListGitCredentials(
    "List an organization's git credentials",
    'Marketplaces and conversations of the organization are fetched with them.',
  )
  listOrgGitCredentials(@Param() path: OrgPath): Promise<GitCredentialList> {
    return this.credentials.list({ userId: null, orgId: path.org_id });
  }

  @Post()
  @RecentSignIn()
  @CreateGitCredential("Keep one of an organization's git credentials")
  createOrgGitCredential(@Param() path: OrgPath, @Body() body: GitCredentialCreate): Promise<GitCredential> {
    return this.credentials.create({ userId: null, orgId: path.org_id }, body);
  }

  @Patch(':credential_id')
  @RecentSignIn()
  @UpdateGitCredential("Change one of an organization's git credentials")
  updateOrgGitCredential(
    @Param() path: OrgGitCredentialPath,
    @Body() body: GitCredentialUpdate,
  ): Promise<GitCredential> {
    return this.credentials.update({ userId: null, orgId: path.org_id }, path.credential_id, body);
  }

  @Delete(':credential_id')
  @RecentSignIn()
  @DeleteGitCredential("Delete one of an organization's git credentials")
  async deleteOrgGitCredential(@Param() path: OrgGitCredentialPath): Promise<Success> {
    await this.credentials.delete({ userId: null, orgId: path.org_id }, path.credential_id);
    return { success: true };
  }
}
