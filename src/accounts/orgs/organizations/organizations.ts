import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/auth';
import type { OrganizationResponse } from './organizations.dto';
import { OrganizationsService } from './organizations.service';

/** Organizations, from inside (docs/extending.md#from-inside). */
@Injectable()
export class Organizations {
  constructor(private readonly organizations: OrganizationsService) {}

  /** The organization of the actor, and their role in it; the service has that of an owner. @throws NotAMemberError where it is gone */
  find(actor: Actor): Promise<OrganizationResponse> {
    return this.organizations.get(actor);
  }
}
