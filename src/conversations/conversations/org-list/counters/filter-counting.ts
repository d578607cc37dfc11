/**
 * How the total of a list is found with each of its filters in use: by counters that the database keeps, or by a
 * query that counts the matches. A filter without a response here does not compile: a list whose total ignores one of
 * its filters would be wrong unnoticed.
 */
export type FilterCounting<Filter> = {
  readonly [Name in keyof Filter]-?:
    | { readonly countedBy: 'counter' }
    | { readonly countedBy: 'query'; isUsed(filter: Filter): boolean };
};

/** The filters of a {@link FilterCounting} that counters know. */
export type CounterFilter<Counting> = {
  [Name in keyof Counting]: Counting[Name] extends { readonly countedBy: 'counter' } ? Name : never;
}[keyof Counting];
