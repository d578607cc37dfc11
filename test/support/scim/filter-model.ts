import fc from 'fast-check';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** A person as far as filters look. */
export interface FilteredPerson {
  readonly userName: string;
  readonly externalId?: string | undefined;
  readonly title?: string | undefined;
  readonly active: boolean;
  readonly familyName?: string | undefined;
  readonly department?: string | undefined;
  readonly emails: readonly FilteredEmail[];
}

interface FilteredEmail {
  readonly value?: string | undefined;
  readonly type?: string | undefined;
  readonly primary?: boolean | undefined;
}

type Value = string | boolean | undefined;

/** An attribute: how filters name it, and what it is of what is asked. */
interface Named<Of> {
  readonly name: string;
  readonly isExact?: true;
  readonly read: (of: Of) => Value;
}

const OF_PERSON: readonly Named<FilteredPerson>[] = [
  { name: 'userName', read: ({ userName }) => userName },
  { name: 'USERNAME', read: ({ userName }) => userName },
  { name: 'urn:ietf:params:scim:schemas:core:2.0:User:title', read: ({ title }) => title },
  { name: 'externalId', isExact: true, read: ({ externalId }) => externalId },
  { name: 'active', read: ({ active }) => active },
  { name: 'name.familyName', read: ({ familyName }) => familyName },
  { name: `${ENTERPRISE}:department`, read: ({ department }) => department },
];

const OF_EMAIL: readonly Named<FilteredEmail>[] = [
  { name: 'value', read: ({ value }) => value },
  { name: 'type', read: ({ type }) => type },
  { name: 'primary', read: ({ primary }) => primary },
];

/** What a filter says, and of whom it is so: the two that have to agree. */
export interface Filter<Of> {
  readonly text: string;
  readonly fits: (of: Of) => boolean;
}

/** Texts that meet one another often, in both cases and with what is special elsewhere. */
export const texts = fc.string({
  unit: fc.constantFrom('a', 'B', 'b', '%', '_', '"', '\\', ' '),
  maxLength: 3,
});

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;

function compares(op: (typeof OPERATORS)[number], value: Value, wanted: string, isExact: boolean): boolean {
  if (op === 'ne') return !compares('eq', value, wanted, isExact);
  if (typeof value !== 'string') return false;
  const [a, b] = isExact ? [value, wanted] : [value.toLowerCase(), wanted.toLowerCase()];
  const results = {
    eq: a === b,
    co: a.includes(b),
    sw: a.startsWith(b),
    ew: a.endsWith(b),
    gt: a > b,
    ge: a >= b,
    lt: a < b,
    le: a <= b,
  };
  return results[op];
}

function simple<Of>(named: readonly Named<Of>[]): fc.Arbitrary<Filter<Of>> {
  const boolean = named.filter(({ name }) => ['active', 'primary'].includes(name));
  const textual = named.filter((each) => !boolean.includes(each));
  return fc.oneof(
    fc
      .tuple(fc.constantFrom(...textual), fc.constantFrom(...OPERATORS), texts)
      .map(([{ name, read, isExact = false }, op, value]) => ({
        text: `${name} ${op} ${JSON.stringify(value)}`,
        fits: (of: Of) => compares(op, read(of), value, isExact),
      })),
    fc
      .tuple(fc.constantFrom(...boolean), fc.constantFrom('eq', 'ne'), fc.boolean(), fc.boolean())
      .map(([{ name, read }, op, value, isText]) => ({
        text: `${name} ${op} ${isText ? `"${value ? 'True' : 'False'}"` : value}`,
        fits: (of: Of) => (read(of) === value) === (op === 'eq'),
      })),
    fc.constantFrom(...named).map(({ name, read }) => ({
      text: `${name} pr`,
      fits: (of: Of) => read(of) !== undefined && read(of) !== '',
    })),
  );
}

/** Filters that are put together of others. */
function composed<Of>(leaf: fc.Arbitrary<Filter<Of>>): fc.Arbitrary<Filter<Of>> {
  return fc.letrec<{ filter: Filter<Of> }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      tie('filter').map(({ text, fits }) => ({ text: `not (${text})`, fits: (of: Of) => !fits(of) })),
      fc
        .tuple(fc.constantFrom('and', 'or'), fc.array(tie('filter'), { minLength: 2, maxLength: 3 }))
        .map(([op, parts]) => ({
          text: parts.map(({ text }) => `(${text})`).join(` ${op} `),
          fits: (of: Of) =>
            op === 'and' ? parts.every((part) => part.fits(of)) : parts.some((part) => part.fits(of)),
        })),
    ),
  })).filter;
}

const ofEmail = composed(simple(OF_EMAIL));

/** Of one of the addresses. */
const ofAnyEmail: fc.Arbitrary<Filter<FilteredPerson>> = fc.oneof(
  ofEmail.map(({ text, fits }) => ({
    text: `emails[${text}]`,
    fits: ({ emails }: FilteredPerson) => emails.some(fits),
  })),
  simple(OF_EMAIL.slice(0, 1).concat(OF_EMAIL.slice(2))).map(({ text, fits }) => ({
    text: `emails.${text}`,
    fits: ({ emails }: FilteredPerson) => emails.some(fits),
  })),
  // Both of one value.
  fc.tuple(ofEmail, texts).map(([{ text, fits }, value]) => ({
    text: `emails[${text}].value eq ${JSON.stringify(value)}`,
    fits: ({ emails }: FilteredPerson) =>
      emails.some((email) => fits(email) && compares('eq', email.value, value, false)),
  })),
);

/** Any filter of people. */
export const filters: fc.Arbitrary<Filter<FilteredPerson>> = composed(
  fc.oneof(simple(OF_PERSON), ofAnyEmail),
);

/** Any people; their user names differ in more than case. */
export const people: fc.Arbitrary<FilteredPerson[]> = fc.uniqueArray(
  fc.record({
    userName: texts.filter((text) => text.trim() !== ''),
    externalId: fc.option(texts, { nil: undefined }),
    title: fc.option(texts, { nil: undefined }),
    active: fc.boolean(),
    familyName: fc.option(texts, { nil: undefined }),
    department: fc.option(texts, { nil: undefined }),
    emails: fc.array(
      fc.record({
        value: fc.option(texts, { nil: undefined }),
        type: fc.option(fc.constantFrom('work', 'Home'), { nil: undefined }),
        primary: fc.option(fc.boolean(), { nil: undefined }),
      }),
      { maxLength: 3 },
    ),
  }),
  { maxLength: 8, selector: ({ userName }) => userName.toLowerCase() },
);

/** What is stored of a person. */
export function storedResource({
  userName,
  externalId,
  title,
  familyName,
  department,
  emails,
}: FilteredPerson): object {
  return {
    userName,
    externalId,
    title,
    ...(familyName !== undefined && { name: { familyName } }),
    ...(department !== undefined && { [ENTERPRISE]: { department } }),
    ...(emails.length > 0 && { emails }),
  };
}
