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
import { ScimUser } from '../record/scim-user.entity';

/**
 * What directories say of a person. Once it is erased, a directory finds nobody under the id it knew: whom it tells of anew is
 * another person.
 */
@Injectable()
export class PersonalScimUsers implements PersonalPart {
  readonly name = 'directory';

  constructor(
    @InjectRepository(ScimUser) private readonly users: Repository<ScimUser>,
    personal: PersonalData,
  ) {
    personal.register(this);
  }

  exports(scope: PersonalScope): readonly ExportedRecords[] {
    const where = whereOf(scope);
    if (where === null) return [];
    const shown = ({ orgId, active, resource }: ScimUser) => ({ org_id: orgId, active, resource });
    return [{ name: this.name, lines: () => fewLines(() => this.users.find({ where }), shown) }];
  }

  async count(scope: PersonalScope): Promise<Counts> {
    const where = whereOf(scope);
    return { [this.name]: where === null ? 0 : await this.users.count({ where }) };
  }

  async erase(scope: PersonalScope, run: ErasureRun): Promise<void> {
    const where = whereOf(scope);
    if (where !== null) await this.users.delete(where);
    await run.done(this.name);
  }
}

/** Directories know people by their address. Null for who has none. */
function whereOf({ email, orgId }: PersonalScope): { email: string; orgId?: string } | null {
  return email === null ? null : { email, ...(orgId !== null && { orgId }) };
}
