export { fewLines, inLine, pagedLines } from './lines';
export { AddressedPart, OwnedPart, ownedWhere } from './owned-part';
export {
  type Counts,
  type ErasureRun,
  type ExportedRecords,
  PersonalData,
  type PersonalPart,
  type PersonalScope,
} from './personal-data';
export { PersonalDataModule } from './personal-data.module';
