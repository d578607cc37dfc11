import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../../accounts/mail';
import { OrgsModule } from '../../accounts/orgs';
import { CallingProcess } from './calls/calling-process';
import { ModelCallRecord } from './calls/model-call.entity';
import { ModelCalls } from './calls/model-calls';
import { LimitMails } from './limits/limit-mails';
import { BudgetMarks } from './marks/budget-marks';
import { MonthlyBudgetsController } from './monthly/monthly-budgets.controller';
import { MonthlyBudgetsService } from './monthly/monthly-budgets.service';
import { BudgetChanges } from './operations/budget-changes';
import { BudgetsController } from './operations/budgets.controller';
import { BudgetsService } from './operations/budgets.service';
import { ModelCallsController } from './operations/model-calls.controller';
import { Budget } from './record/budget.entity';
import { BudgetSpending } from './record/budget-spending.entity';
import { Budgets } from './room/budgets';
import { BudgetUpkeep } from './upkeep/budget-upkeep';

/** What may be spent on models, what is reserved and spent of it, and the ledger of calls (docs/budgets.md). */
@Module({
  imports: [TypeOrmModule.forFeature([Budget, BudgetSpending, ModelCallRecord]), MailModule, OrgsModule],
  controllers: [MonthlyBudgetsController, BudgetsController, ModelCallsController],
  providers: [
    BudgetChanges,
    BudgetMarks,
    BudgetUpkeep,
    Budgets,
    BudgetsService,
    CallingProcess,
    LimitMails,
    ModelCalls,
    MonthlyBudgetsService,
  ],
  exports: [Budgets, BudgetUpkeep, ModelCalls],
})
export class BudgetsModule {}
