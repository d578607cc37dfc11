import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys';
import { IdentityProvidersModule } from '../identity-providers';
import { OrgsModule } from '../orgs';
import { PersonalDataModule } from '../personal-data';
import { DiscoveryController } from './discovery/discovery.controller';
import { GroupMembers } from './groups/group-members';
import { ScimGroupsController } from './groups/scim-groups.controller';
import { ScimGroups } from './groups/scim-groups.service';
import { DirectoryGroupsController } from './management/directory-groups.controller';
import { DirectoryGroups } from './management/directory-groups.service';
import { GrantableGroupRoles } from './management/grantable-group-roles';
import { DirectoryChanges } from './record/directory-changes';
import { ScimGroupMember } from './record/scim-group-member.entity';
import { ScimGroup } from './record/scim-group.entity';
import { ScimToken } from './record/scim-token.entity';
import { ScimUser } from './record/scim-user.entity';
import { GroupRoles } from './roles/group-roles';
import { ScimTokenVerifier } from './tokens/scim-token-verifier';
import { ScimTokensController } from './tokens/scim-tokens.controller';
import { ScimTokens } from './tokens/scim-tokens.service';
import { Provisioning } from './users/provisioning';
import { LetInElsewhere } from './users/let-in-elsewhere';
import { ScimUsersController } from './users/scim-users.controller';
import { PersonalScimUsers } from './users/personal-scim-users';
import { ScimUsers } from './users/scim-users.service';

/** Directories of organizations, which tell over SCIM who is in them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ScimGroup, ScimGroupMember, ScimToken, ScimUser]),
    ApiKeysModule,
    IdentityProvidersModule,
    OrgsModule,
    PersonalDataModule,
  ],
  controllers: [
    ScimTokensController,
    DirectoryGroupsController,
    ScimUsersController,
    ScimGroupsController,
    // The last: it takes all paths that nothing else does.
    DiscoveryController,
  ],
  providers: [
    DirectoryChanges,
    DirectoryGroups,
    GrantableGroupRoles,
    GroupMembers,
    GroupRoles,
    LetInElsewhere,
    PersonalScimUsers,
    Provisioning,
    ScimGroups,
    ScimTokens,
    ScimTokenVerifier,
    ScimUsers,
  ],
  exports: [ScimTokenVerifier],
})
export class ScimModule {}
