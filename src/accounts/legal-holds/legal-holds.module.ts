import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgsModule } from '../orgs';
import { LegalHold } from './legal-hold.entity';
import { LegalHolds } from './legal-holds';
import { LegalHoldsController } from './legal-holds.controller';
import { LegalHoldsService } from './legal-holds.service';

/** What must not be deleted, and who says so. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([LegalHold]), OrgsModule],
  controllers: [LegalHoldsController],
  providers: [LegalHolds, LegalHoldsService],
  exports: [LegalHolds],
})
export class LegalHoldsModule {}
