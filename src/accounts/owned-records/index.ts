export { Owned, OwnedRecord, OwnedRecords, withId } from './owned-records';
