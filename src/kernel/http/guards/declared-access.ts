import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type OrgSource, parameterMisfit, type Permission, PermissionTable } from '../../auth';
import { StartError } from '../../common';
import { type DeclaredRoute, DeclaredRoutes } from './declared-routes';

/**
 * Denies by default: a route that does not declare who may call it, or names a permission that is not there or without an
 * organization to have it in, or has parameters that its access does not provide, stops the start
 * (docs/decisions/0014-deny-by-default.md).
 */
@Injectable()
export class DeclaredAccess implements OnModuleInit {
  constructor(
    private readonly routes: DeclaredRoutes,
    private readonly permissions: PermissionTable,
  ) {}

  onModuleInit(): void {
    const undeclared: string[] = [];
    for (const route of this.routes.all()) {
      const { name, access } = route;
      if (access === undefined) {
        undeclared.push(name);
        continue;
      }
      if (access.kind === 'user' && access.permission !== null)
        this.checkPermission(name, access.permission, access.org);
      checkOrganization(route);
      for (const { factory } of route.parameters) {
        const misfit = parameterMisfit(factory, access);
        if (misfit !== null) throw new StartError(`The route ${name} takes ${misfit}.`);
      }
    }
    if (undeclared.length > 0)
      throw new StartError(
        `These routes declare neither @Access, @SandboxAccess nor @Public: ${undeclared.join(', ')}.`,
      );
  }

  private checkPermission(name: string, permission: Permission, org: OrgSource): void {
    if (!this.permissions.isKnown(permission))
      throw new StartError(
        `The route ${name} needs the permission ${permission}, which nobody can have: it is not in the table, nor among those of an extension.`,
      );
    // The types refuse it; extensions in JavaScript have none.
    if (org === 'none')
      throw new StartError(
        `The route ${name} needs the permission ${permission}, but names no organization to have it in: add org to its @Access.`,
      );
  }
}

function checkOrganization({ name, access, paths }: DeclaredRoute): void {
  if (access?.kind !== 'user' || access.org !== 'path') return;
  const without = paths.find((path) => !path.split('/').includes(':org_id'));
  if (without !== undefined)
    throw new StartError(
      `The route ${name} takes its organization from the path, but ${without} has no :org_id.`,
    );
}
