import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AuditLog } from '../../audit-log';
import {
  type Counts,
  type ErasureRun,
  type ExportedRecords,
  inLine,
  pagedLines,
  PersonalData,
  type PersonalPart,
  type PersonalScope,
} from '../../personal-data';
import { AUDITED_ROWS, type AuditedRow } from './audited-rows.read-model';

const PAGE = 500;

/**
 * Rows of the audit log about a person. What of them is personal goes in portions; what is added meanwhile, with the transaction that
 * ends the erasure.
 */
@Injectable()
export class AuditedRows implements PersonalPart {
  readonly name = 'audit_log';

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly log: AuditLog,
    personal: PersonalData,
  ) {
    personal.register(this);
  }

  exports({ userId, orgId }: PersonalScope): readonly ExportedRecords[] {
    const page = (after: AuditedRow | null) =>
      AUDITED_ROWS.rows(this.database, [userId, orgId, after?.position ?? '0', PAGE]);
    const line = ({ entry, personal }: AuditedRow) =>
      `{"entry":${inLine(entry)},"personal":${personal ?? 'null'}}`;
    return [{ name: this.name, lines: () => pagedLines(page, line) }];
  }

  count(): Promise<Counts> {
    return Promise.resolve({});
  }

  async erase({ userId, ofAccount }: PersonalScope, run: ErasureRun): Promise<void> {
    for (let isLeft = ofAccount; isLeft;) {
      isLeft = await this.database.transaction((transaction) => this.log.erasePerson(transaction, userId));
      await run.done(this.name);
    }
  }
}
