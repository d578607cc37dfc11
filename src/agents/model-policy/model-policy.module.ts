import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ModelPolicies } from './policies/model-policies';
import { ModelPolicy } from './policies/model-policy.entity';
import { ModelPrices } from './prices/model-prices';
import { ModelRefusals } from './refusals/model-refusals';

/** Which models organizations may use, and what models cost. */
@Module({
  imports: [TypeOrmModule.forFeature([ModelPolicy])],
  providers: [ModelPolicies, ModelPrices, ModelRefusals],
  exports: [ModelPolicies, ModelPrices],
})
export class ModelPolicyModule {}
