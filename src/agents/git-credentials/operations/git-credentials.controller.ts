import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller, ownerOf, RecentSignIn, KeptForUser } from '../../../kernel/auth';
import { OrgPath } from '../../../accounts/orgs';
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
  GitCredentialPath,
  GitCredentialUpdate,
  OrgGitCredentialPath,
} from './git-credentials.dto';

@ApiTags('Git')
@Access({ scope: 'manage_application_settings' })
@KeptForUser()
@Controller('api/v1/git/credentials')
export class UserGitCredentialsController {
  constructor(private readonly credentials: GitCredentialsService) {}

  @Get()
  @ListGitCredentials('List your git credentials', 'Repositories of your conversations are cloned with them.')
  listUserGitCredentials(@CurrentCaller() caller: Caller): Promise<GitCredentialList> {
    return this.credentials.list(ownerOf(caller));
  }

  @Post()
  @RecentSignIn()
  @CreateGitCredential('Keep one of your git credentials')
  createUserGitCredential(
    @CurrentCaller() caller: Caller,
    @Body() body: GitCredentialCreate,
  ): Promise<GitCredential> {
    return this.credentials.create(ownerOf(caller), body);
  }

  @Patch(':credential_id')
  @RecentSignIn()
  @UpdateGitCredential('Change one of your git credentials')
  updateUserGitCredential(
    @CurrentCaller() caller: Caller,
    @Param() path: GitCredentialPath,
    @Body() body: GitCredentialUpdate,
  ): Promise<GitCredential> {
    return this.credentials.update(ownerOf(caller), path.credential_id, body);
  }

  @Delete(':credential_id')
  @RecentSignIn()
  @DeleteGitCredential('Delete one of your git credentials')
  async deleteUserGitCredential(
    @CurrentCaller() caller: Caller,
    @Param() path: GitCredentialPath,
  ): Promise<Success> {
    await this.credentials.delete(ownerOf(caller), path.credential_id);
    return { success: true };
  }
}

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
