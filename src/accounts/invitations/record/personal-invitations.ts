import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AddressedPart, PersonalData } from '../../personal-data';
import { Invitation } from './invitation.entity';

/** Invitations to a person's address, with the codes that were mailed to it. */
@Injectable()
export class PersonalInvitations {
  constructor(@InjectRepository(Invitation) invitations: Repository<Invitation>, personal: PersonalData) {
    personal.register(
      new AddressedPart('invitations', invitations, ({ orgId, role, status, createdAt, acceptedAt }) => ({
        org_id: orgId,
        role,
        status,
        created_at: createdAt,
        accepted_at: acceptedAt,
      })),
    );
  }
}
