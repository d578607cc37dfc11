import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { AuthCaches } from './credentials/auth-caches';
import { CredentialVerifiers } from './credentials/credential-verifiers';
import { Authentication } from './credentials/authentication';
import { StandingAccess } from './credentials/standing-access';
import { SandboxCredentialVerifier } from './identity/ports';
import { PermissionTable } from './identity/permission-table';
import type { LowestRoles } from './identity/permissions';
import { Actors } from './access/actors';
import { OrgResolution } from './access/org-resolution';

/** Authentication and authorization. Its ports are implemented by features and bound in the composition root. */
@Module({})
export class AuthModule {
  /**
   * @param adapters modules that export the implementations, and providers that bind the ports to them
   * @param permissions those of extensions
   */
  static forRoot(
    adapters: Required<Pick<ModuleMetadata, 'imports' | 'providers'>>,
    permissions: LowestRoles,
  ): DynamicModule {
    return {
      module: AuthModule,
      global: true,
      imports: adapters.imports,
      providers: [
        ...adapters.providers,
        { provide: PermissionTable, useValue: new PermissionTable(permissions) },
        Actors,
        Authentication,
        AuthCaches,
        CredentialVerifiers,
        OrgResolution,
        StandingAccess,
      ],
      exports: [
        Actors,
        Authentication,
        AuthCaches,
        CredentialVerifiers,
        OrgResolution,
        PermissionTable,
        StandingAccess,
        SandboxCredentialVerifier,
      ],
    };
  }
}
