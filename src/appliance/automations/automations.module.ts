import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../../accounts/api-keys';
import { AutomationsController } from './automations.controller';
import { LentKeys, PassedCalls } from './passed-calls';

/** The way to a service for automations beside this one; only where `AUTOMATION_URL` is set. */
@Module({
  imports: [ApiKeysModule],
  controllers: [AutomationsController],
  providers: [LentKeys, PassedCalls],
})
export class AutomationsModule {}
