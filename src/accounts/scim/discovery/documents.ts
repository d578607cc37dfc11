import { MAX_PAGE } from '../record/limits';
import {
  type Attribute,
  ENTERPRISE,
  GROUP,
  GROUPS,
  type ResourceKind,
  type Schema,
  USER,
  USERS,
} from '../schema/attributes';

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';

/** What the service can do of the protocol (RFC 7643, section 5). @param base address of the protocol */
export function serviceProviderConfig(base: string): object {
  return {
    schemas: [CONFIG],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_PAGE },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Token of a directory',
        description: 'A token that an owner of the organization made, as Authorization: Bearer.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

/** The kinds of resources (RFC 7643, section 6). */
export function resourceTypes(base: string): { readonly id: string }[] {
  return [USERS, GROUPS].map(({ name, endpoint, schema, extensions }: ResourceKind) => ({
    schemas: [RESOURCE_TYPE],
    id: name,
    name,
    endpoint,
    description: schema.description,
    schema: schema.id,
    schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }));
}

/** The schemas (RFC 7643, section 7). */
export function schemas(base: string): { readonly id: string }[] {
  return [USER, GROUP, ENTERPRISE].map(({ id, name, description, attributes }: Schema) => ({
    schemas: [SCHEMA],
    id,
    name,
    description,
    attributes: attributes.map(described),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }));
}

function described(attribute: Attribute): object {
  const { type, subAttributes, referenceTypes, canonicalValues, ...rest } = attribute;
  return {
    ...rest,
    type,
    returned: 'default',
    ...(type === 'complex' && { subAttributes: subAttributes.map(described) }),
    ...(type === 'reference' && { referenceTypes }),
    ...(canonicalValues.length > 0 && { canonicalValues }),
  };
}
