/*
 * What of class-validator every start needs. The library's index loads all of its decorators, and two libraries of rules for
 * texts and telephone numbers: 4 MiB and 300 files.
 */
declare module 'class-validator/cjs/metadata/MetadataStorage' {
  export { getMetadataStorage } from 'class-validator';
}
declare module 'class-validator/cjs/decorator/common/ValidateBy' {
  export { ValidateBy } from 'class-validator';
}
