/** An attribute as the discovery documents describe it (RFC 7643, section 7), and as requests are read by it. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'reference' | 'dateTime' | 'complex' | 'binary';
  readonly description: string;
  readonly multiValued: boolean;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable';
  readonly uniqueness: 'none' | 'server';
  readonly subAttributes: readonly Attribute[];
  readonly referenceTypes: readonly string[];
  /** The values that it may have; none for any. */
  readonly canonicalValues: readonly string[];
}

type Options = Partial<Omit<Attribute, 'name' | 'description'>>;

/** Declares an attribute: a text that is not required, in any case, unless told otherwise. */
function attribute(name: string, description: string, options: Options = {}): Attribute {
  return {
    name,
    description,
    type: 'string',
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    uniqueness: 'none',
    subAttributes: [],
    referenceTypes: [],
    canonicalValues: [],
    ...options,
  };
}

const complex = (
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  options: Options = {},
) => attribute(name, description, { type: 'complex', subAttributes, ...options });

/** Several values of a kind, each with what it is for, of which one may be the primary one. */
const several = (name: string, description: string, value: Options = {}, required = false): Attribute =>
  complex(
    name,
    description,
    [
      attribute('value', 'The value.', value),
      attribute('display', 'The value as people read it.'),
      attribute('type', 'What it is for.'),
      attribute('primary', 'Whether it is the one to use first.', { type: 'boolean' }),
    ],
    { multiValued: true, required },
  );

const reference = (
  name: string,
  description: string,
  referenceTypes: readonly string[],
  options: Options = {},
) => attribute(name, description, { type: 'reference', caseExact: true, referenceTypes, ...options });

/** What all resources have. */
const COMMON: readonly Attribute[] = [
  attribute('externalId', 'What the directory calls it.', { caseExact: true }),
];

const USER_ATTRIBUTES: readonly Attribute[] = [
  attribute('userName', 'With which the person signs in at the directory.', {
    required: true,
    uniqueness: 'server',
  }),
  complex('name', 'The name and its parts.', [
    attribute('formatted', 'The whole name.'),
    attribute('familyName', 'The family name.'),
    attribute('givenName', 'The given name.'),
    attribute('middleName', 'Middle names.'),
    attribute('honorificPrefix', 'What stands before the name.'),
    attribute('honorificSuffix', 'What stands behind the name.'),
  ]),
  attribute('displayName', 'The name as people read it.'),
  attribute('nickName', 'How the person is called.'),
  reference('profileUrl', 'A page about the person.', ['external']),
  attribute('title', 'What the person is in the company.'),
  attribute('userType', 'How the person belongs to the company.'),
  attribute('preferredLanguage', 'Languages, as in Accept-Language.'),
  attribute('locale', 'How dates and numbers are written.'),
  attribute('timezone', 'The time zone.'),
  attribute(
    'active',
    'Whether the person is a member of the organization; true where nothing is said of it.',
    {
      type: 'boolean',
      required: true,
    },
  ),
  several('emails', 'Addresses; the first primary one is that of the account.', { required: true }, true),
  several('phoneNumbers', 'Telephone numbers.'),
  several('ims', 'Addresses for instant messages.'),
  several('photos', 'Pictures.', { type: 'reference', referenceTypes: ['external'], caseExact: true }),
  complex(
    'addresses',
    'Postal addresses.',
    [
      attribute('formatted', 'The whole address.'),
      attribute('streetAddress', 'Street and number.'),
      attribute('locality', 'The city.'),
      attribute('region', 'The state or region.'),
      attribute('postalCode', 'The postal code.'),
      attribute('country', 'The country.'),
      attribute('type', 'What it is for.'),
      attribute('primary', 'Whether it is the one to use first.', { type: 'boolean' }),
    ],
    { multiValued: true },
  ),
  complex(
    'groups',
    'The groups of the person.',
    [
      attribute('value', 'Id of the group.', { mutability: 'readOnly', caseExact: true }),
      reference('$ref', 'The group.', ['Group'], { mutability: 'readOnly' }),
      attribute('display', 'Its name.', { mutability: 'readOnly' }),
      attribute('type', 'Always `direct`.', { mutability: 'readOnly' }),
    ],
    { multiValued: true, mutability: 'readOnly' },
  ),
  several('entitlements', 'What the person may have.'),
  several('roles', 'What the person is; the service keeps it, and gives nothing by it.'),
  several('x509Certificates', 'Certificates.', { type: 'binary', caseExact: true }),
];

const GROUP_ATTRIBUTES: readonly Attribute[] = [
  attribute('displayName', 'The name of the group.', { required: true }),
  complex(
    'members',
    'The people in it.',
    [
      attribute('value', 'Id of the person.', { mutability: 'immutable', caseExact: true }),
      reference('$ref', 'The person.', ['User'], { mutability: 'immutable' }),
      attribute('type', 'Always `User`.', { mutability: 'immutable', canonicalValues: ['User'] }),
    ],
    { multiValued: true },
  ),
];

const ENTERPRISE_ATTRIBUTES: readonly Attribute[] = [
  attribute('employeeNumber', 'What the company calls the person.'),
  attribute('costCenter', 'The cost centre.'),
  attribute('organization', 'The company.'),
  attribute('division', 'The division.'),
  attribute('department', 'The department.'),
  complex('manager', 'Whom the person reports to.', [
    attribute('value', 'Id of the manager.', { caseExact: true }),
    reference('$ref', 'The manager.', ['User']),
    attribute('displayName', 'Their name.', { mutability: 'readOnly' }),
  ]),
];

/** A schema: the attributes of resources that name its URI. */
export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

export const USER: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A person.',
  attributes: USER_ATTRIBUTES,
};

export const GROUP: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A group of people.',
  attributes: GROUP_ATTRIBUTES,
};

export const ENTERPRISE: Schema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'Enterprise User',
  description: 'A person of a company.',
  attributes: ENTERPRISE_ATTRIBUTES,
};

/** A kind of resources: its schema, and those that extend it. */
export interface ResourceKind {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly schema: Schema;
  readonly extensions: readonly Schema[];
}

export const USERS: ResourceKind = {
  name: 'User',
  endpoint: '/Users',
  schema: USER,
  extensions: [ENTERPRISE],
};

export const GROUPS: ResourceKind = { name: 'Group', endpoint: '/Groups', schema: GROUP, extensions: [] };

/** The attribute of a name in any case. */
export function attributeNamed(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const wanted = name.toLowerCase();
  return attributes.find((each) => each.name.toLowerCase() === wanted);
}

/** All attributes of the schema of a kind, those that all resources have included. */
export function attributesOf({ schema }: ResourceKind): readonly Attribute[] {
  return [...COMMON, ...schema.attributes];
}
