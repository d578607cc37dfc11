import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FaultPoints } from '../../kernel/leases';
import { AuditLog } from '../audit-log';
import { LegalHolds } from '../legal-holds';
import { OrgsModule } from '../orgs';
import { PersonalDataModule } from '../personal-data';
import { Erasure } from './erasure/erasure.entity';
import { ErasurePlans } from './erasure/erasure-plans';
import { ErasureRecord } from './erasure/erasure-record';
import { Erasures } from './erasure/erasures';
import { ErasuresController } from './erasure/erasures.controller';
import { ErasureWorker } from './erasure/erasure-worker';
import { KernelRecords } from './erasure/kernel-records';
import { PeopleErasures } from './erasure/people-erasures';
import { AuditedRows } from './export/audited-rows';
import { PersonalArchive } from './export/personal-archive';
import { PersonalArchiveController } from './export/personal-archive.controller';

/** A person's data: all of it as an archive, and its erasure. */
@Module({
  imports: [TypeOrmModule.forFeature([Erasure]), OrgsModule, PersonalDataModule],
  controllers: [ErasuresController, PersonalArchiveController],
  providers: [
    // Also where no log is kept any more: what it has of a person goes.
    AuditLog,
    AuditedRows,
    ErasurePlans,
    ErasureRecord,
    Erasures,
    ErasureWorker,
    FaultPoints,
    KernelRecords,
    LegalHolds,
    PeopleErasures,
    PersonalArchive,
  ],
  exports: [Erasures],
})
export class PersonsModule {}
