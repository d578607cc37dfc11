import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AddressedPart, PersonalData } from '../../personal-data';
import { ScimUser } from '../record/scim-user.entity';

/**
 * What directories say of a person, whom they know by their address. Once it is erased, a directory finds nobody under the id it
 * knew: whom it tells of anew is another person.
 */
@Injectable()
export class PersonalScimUsers {
  constructor(@InjectRepository(ScimUser) users: Repository<ScimUser>, personal: PersonalData) {
    personal.register(
      new AddressedPart('directory', users, ({ orgId, active, resource }) => ({
        org_id: orgId,
        active,
        resource,
      })),
    );
  }
}
