import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { OwnedPart, PersonalData } from '../personal-data';
import { UserSecret } from './user-secret.entity';

/** A person's secrets, as far as they are exported and erased: never their values. */
@Injectable()
export class PersonalSecrets {
  constructor(@InjectRepository(UserSecret) secrets: Repository<UserSecret>, personal: PersonalData) {
    personal.register(
      new OwnedPart('secrets', secrets, ({ name, description, orgId }) => ({
        name,
        description,
        org_id: orgId,
      })),
    );
  }
}
