export { type ErasurePreview, Erasures } from './erasure/erasures';
export { toPreview } from './erasure/people-erasures';
export { PersonsModule } from './persons.module';
