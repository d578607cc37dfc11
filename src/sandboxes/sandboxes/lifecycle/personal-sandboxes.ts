import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Not, Repository } from 'typeorm';
import {
  type Counts,
  type ErasureRun,
  type ExportedRecords,
  fewLines,
  PersonalData,
  type PersonalPart,
  type PersonalScope,
} from '../../../accounts/personal-data';
import { SandboxKeptLog } from '../record/kept-logs/sandbox-kept-log.entity';
import { Sandbox } from '../record/sandbox.entity';
import { SandboxLifecycle } from './desired-state/sandbox-lifecycle';

const PAGE = 200;

/** A person's sandboxes, which end with all that their folders hold; records of them stay, with their ids. */
@Injectable()
export class PersonalSandboxes implements PersonalPart {
  readonly name = 'sandboxes';

  constructor(
    @InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>,
    @InjectRepository(SandboxKeptLog) private readonly logs: Repository<SandboxKeptLog>,
    private readonly lifecycle: SandboxLifecycle,
    personal: PersonalData,
  ) {
    personal.register(this);
  }

  exports(scope: PersonalScope): readonly ExportedRecords[] {
    const where = { ...ofPerson(scope), status: Not('MISSING' as const) };
    const read = () => this.sandboxes.find({ where, order: { createdAt: 'ASC', id: 'ASC' } });
    const shown = ({ id, orgId, status, createdAt }: Sandbox) => ({
      id,
      org_id: orgId,
      status,
      created_at: createdAt,
    });
    return [{ name: this.name, lines: () => fewLines(read, shown) }];
  }

  async count(scope: PersonalScope): Promise<Counts> {
    return { sandboxes: await this.sandboxes.countBy({ ...ofPerson(scope), status: Not('MISSING') }) };
  }

  async end(scope: PersonalScope, run: ErasureRun): Promise<void> {
    const where = { ...ofPerson(scope), status: Not('MISSING' as const) };
    for (const { id } of await this.sandboxes.find({ select: { id: true }, where })) {
      await this.sandboxes.manager.transaction((transaction) => this.lifecycle.delete(transaction, id));
      await run.done('sandbox');
    }
  }

  async erase(scope: PersonalScope, run: ErasureRun): Promise<void> {
    const all = await this.sandboxes.find({ select: { id: true }, where: ofPerson(scope) });
    for (let first = 0; first < all.length; first += PAGE) {
      const ids = all.slice(first, first + PAGE).map(({ id }) => id);
      await this.logs.delete({ sandboxId: In(ids) });
      await run.done(this.name);
    }
  }
}

function ofPerson({ userId, orgId }: PersonalScope): { createdByUserId: string; orgId?: string } {
  return { createdByUserId: userId, ...(orgId !== null && { orgId }) };
}
