import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { ConversationsModule, defineExtension, MailModule, OrgsModule } from 'org-conversation-service';
import { BadgeVerifier } from './adapters/badge.verifier';
import { FolderTransport } from './adapters/folder.transport';
import { MACHINES, MachinesDriver } from './adapters/machines.driver';
import { Budget, Budgets1764000000000, Cost } from './budgets/budget.tables';
import { BudgetsController } from './budgets/budgets.controller';
import { BudgetReport, Budgets, budgetSpent } from './budgets/budgets.service';
import { acmeSettings } from './settings';

@Module({
  imports: [ConversationsModule, OrgsModule],
  controllers: [BudgetsController],
  providers: [Budgets, BudgetReport],
})
class BudgetsModule {}

/** What takes the place of something of the service: each registers itself when it is made. */
@Module({ imports: [MailModule], providers: [BadgeVerifier, FolderTransport, MachinesDriver] })
class AdaptersModule {}

/** What `EXTENSIONS=./dist/src/extension.js` adds to the service. */
export default defineExtension({
  name: 'acme',
  modules: [BudgetsModule, AdaptersModule],
  permissions: { 'acme:manage_budgets': 'admin' },
  entities: [Budget, Cost],
  migrations: [Budgets1764000000000],
  settings: acmeSettings,
  events: { 'acme.budget_spent': budgetSpent },
  commands: {
    'acme:report': {
      about: 'Prints what departments may spend, and have spent.',
      options: { org: { about: 'id of the organization' } },
      handler: BudgetReport,
    },
  },
  consolePages: {
    'acme.budgets': {
      title: 'Budgets',
      script: join(__dirname, '..', 'pages', 'budgets.js'),
      permission: 'acme:manage_budgets',
    },
  },
  healthChecks: { 'acme.outbox': FolderTransport },
  sandboxDrivers: [MACHINES],
});
