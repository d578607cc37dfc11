export { LegalHolds } from './legal-holds';
export { LegalHoldError } from './legal-holds.errors';
export { LegalHoldsModule } from './legal-holds.module';
