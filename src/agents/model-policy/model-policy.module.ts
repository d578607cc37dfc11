import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgsModule } from '../../accounts/orgs';
import { ModelFigures } from './operations/model-figures';
import { ModelPolicyController } from './operations/model-policy.controller';
import { ModelPolicies } from './policies/model-policies';
import { ModelPoliciesService } from './policies/model-policies.service';
import { ModelPolicy } from './policies/model-policy.entity';
import { ModelPrices } from './prices/model-prices';
import { ModelRefusals } from './refusals/model-refusals';

/** Which models organizations may use, and what models cost. */
@Module({
  imports: [TypeOrmModule.forFeature([ModelPolicy]), OrgsModule],
  controllers: [ModelPolicyController],
  providers: [ModelFigures, ModelPolicies, ModelPoliciesService, ModelPrices, ModelRefusals],
  exports: [ModelPolicies, ModelPrices],
})
export class ModelPolicyModule {}
