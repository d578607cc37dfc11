import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  type Counts,
  type ErasureRun,
  type ExportedRecords,
  fewLines,
  PersonalData,
  type PersonalPart,
  type PersonalScope,
} from '../../personal-data';
import { Invitation } from './invitation.entity';

/** Invitations to a person's address, with the codes that were mailed to it. */
@Injectable()
export class PersonalInvitations implements PersonalPart {
  readonly name = 'invitations';

  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    personal: PersonalData,
  ) {
    personal.register(this);
  }

  exports(scope: PersonalScope): readonly ExportedRecords[] {
    const where = whereOf(scope);
    if (where === null) return [];
    const read = () => this.invitations.find({ where, order: { id: 'ASC' } });
    const shown = ({ orgId, role, status, createdAt, acceptedAt }: Invitation) => ({
      ...{ org_id: orgId, role, status, created_at: createdAt, accepted_at: acceptedAt },
    });
    return [{ name: this.name, lines: () => fewLines(read, shown) }];
  }

  async count(scope: PersonalScope): Promise<Counts> {
    const where = whereOf(scope);
    return { [this.name]: where === null ? 0 : await this.invitations.count({ where }) };
  }

  async erase(scope: PersonalScope, run: ErasureRun): Promise<void> {
    const where = whereOf(scope);
    if (where !== null) await this.invitations.delete(where);
    await run.done(this.name);
  }
}

/** Null for who has no address. */
function whereOf({ email, orgId }: PersonalScope): { email: string; orgId?: string } | null {
  return email === null ? null : { email, ...(orgId !== null && { orgId }) };
}
