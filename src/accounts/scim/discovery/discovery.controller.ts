import { All, Controller, Get, Inject, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { publicUrl, SETTINGS, type Settings } from '../../../kernel/config';
import { allowedMethods, MethodNotAllowedError } from '../../../kernel/http';
import { listResponse, ScimPath } from '../protocol/list-request';
import { SCIM_PATH, ScimOperations } from '../protocol/scim-operations';
import { ScimError, ScimNotFoundError } from '../record/scim.errors';
import { resourceTypes, schemas, serviceProviderConfig } from './documents';

/** Parts of the protocol that the service leaves out (RFC 7644, sections 3.4.3, 3.7 and 3.11). */
const LEFT_OUT: readonly string[] = ['/.search', '/bulk', '/me'];

/** What the service says of itself (RFC 7644, section 4), and all paths of the protocol that nothing answers. */
@ScimOperations()
@Controller(SCIM_PATH)
export class DiscoveryController {
  private readonly base: string;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.base = `${publicUrl(settings)}/${SCIM_PATH}`;
  }

  @Get('ServiceProviderConfig')
  getServiceProviderConfig(): object {
    return serviceProviderConfig(this.base);
  }

  @Get('ResourceTypes')
  listResourceTypes(): object {
    return all(resourceTypes(this.base));
  }

  @Get('ResourceTypes/:id')
  getResourceType(@Param() { id }: ScimPath): object {
    return one(resourceTypes(this.base), id);
  }

  @Get('Schemas')
  listSchemas(): object {
    return all(schemas(this.base));
  }

  @Get('Schemas/:id')
  getSchema(@Param() { id }: ScimPath): object {
    return one(schemas(this.base), id);
  }

  @All('{*path}')
  refuse(@Req() { app, path }: Request): never {
    const allowed = allowedMethods(app, path);
    if (allowed.length > 0) throw new MethodNotAllowedError(allowed);
    const within = path.slice(path.indexOf(SCIM_PATH) + SCIM_PATH.length).toLowerCase();
    if (LEFT_OUT.includes(within))
      throw new ScimError(501, null, 'The service does not have this part of SCIM.');
    throw new ScimNotFoundError(within);
  }
}

function all(documents: readonly object[]): object {
  return listResponse(documents, documents.length, { startIndex: 1 });
}

/** @throws ScimNotFoundError */
function one(documents: readonly { readonly id: string }[], id: string): object {
  const found = documents.find((document) => document.id.toLowerCase() === id.toLowerCase());
  if (found === undefined) throw new ScimNotFoundError(id);
  return found;
}
