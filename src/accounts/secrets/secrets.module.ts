import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PersonalDataModule } from '../personal-data';
import { PersonalSecrets } from './personal-secrets';
import { SecretsController } from './secrets.controller';
import { SecretsService } from './secrets.service';
import { UserSecret } from './user-secret.entity';
import { UserSecretsRepository } from './user-secrets.repository';

/** Secrets of users for the agents of their conversations. */
@Module({
  imports: [PersonalDataModule, TypeOrmModule.forFeature([UserSecret])],
  controllers: [SecretsController],
  providers: [PersonalSecrets, SecretsService, UserSecretsRepository],
  exports: [UserSecretsRepository],
})
export class SecretsModule {}
