export { Owned, OwnedRecord } from './owned-record';
export { OwnedRecords, withId } from './owned-records';
