import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Sandbox } from '../record/sandbox.entity';

/** Reads sandboxes beside `org_members`, named by hand because its entity belongs to another module. */
@Injectable()
export class FormerMembers {
  constructor(@InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>) {}

  /** The sandboxes of a user in an organization that run or start, unless the user is a member there. */
  activeSandboxes(orgId: string, userId: string): Promise<Sandbox[]> {
    return this.sandboxes
      .createQueryBuilder('sandbox')
      .where('sandbox.orgId = :orgId AND sandbox.createdByUserId = :userId', { orgId, userId })
      .andWhere(`sandbox.status IN ('STARTING', 'RUNNING')`)
      .andWhere('NOT EXISTS (SELECT FROM org_members WHERE org_id = :orgId AND user_id = :userId)')
      .getMany();
  }
}
