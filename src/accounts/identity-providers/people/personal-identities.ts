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
import { UserIdentity } from '../record/user-identity.entity';
import { eraseIdentities, selectOwnIdentities } from './personal-identities.query';

/**
 * As whom providers know a person. Once it is erased, their subject is nobody's: whoever signs in with it gets an account of their
 * own, and never that of the erased user.
 */
@Injectable()
export class PersonalIdentities implements PersonalPart {
  readonly name = 'identities';

  constructor(
    @InjectRepository(UserIdentity) private readonly identities: Repository<UserIdentity>,
    personal: PersonalData,
  ) {
    personal.register(this);
  }

  exports(scope: PersonalScope): readonly ExportedRecords[] {
    const read = () => selectOwnIdentities(this.identities.manager, scope);
    return [{ name: this.name, lines: () => fewLines(read, (row) => row) }];
  }

  async count(scope: PersonalScope): Promise<Counts> {
    return { [this.name]: (await selectOwnIdentities(this.identities.manager, scope)).length };
  }

  async erase(scope: PersonalScope, run: ErasureRun): Promise<void> {
    await eraseIdentities(this.identities.manager, scope);
    await run.done(this.name);
  }
}
