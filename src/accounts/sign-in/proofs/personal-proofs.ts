import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  type Counts,
  type ErasureRun,
  PersonalData,
  type PersonalPart,
  type PersonalScope,
} from '../../personal-data';
import { SignInProof } from './sign-in-proof.entity';

/** Codes and links by which a person was to sign in. */
@Injectable()
export class PersonalProofs implements PersonalPart {
  readonly name = 'sign_in_proofs';

  constructor(
    @InjectRepository(SignInProof) private readonly proofs: Repository<SignInProof>,
    personal: PersonalData,
  ) {
    personal.register(this);
  }

  count(): Promise<Counts> {
    return Promise.resolve({});
  }

  async erase({ userId, email, orgId, ofAccount }: PersonalScope, run: ErasureRun): Promise<void> {
    const inOrg = ofAccount || orgId === null ? {} : { orgId };
    await this.proofs.delete({ userId, ...inOrg });
    if (email !== null) await this.proofs.delete({ email, ...inOrg });
    await run.done(this.name);
  }
}
