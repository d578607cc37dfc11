import { z } from 'zod';

const NAME = /pass|secret|key|token|credential|auth|header|env$|mcp|cookie|private|^value$/i;
const DESCRIPTION = /encrypted|never answered|secret|password|token/i;

const schema = z.looseObject({
  $ref: z.string().optional(),
  properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })).optional(),
});

const document = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        requestBody: z
          .looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })) })
          .optional(),
      }),
    ),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});

/** Fields of requests that are named or described like secrets, as `POST /path .field`. @param given an OpenAPI document */
export function fieldsLikeSecrets(given: unknown): string[] {
  const { paths, components } = document.parse(given);
  const within = (node: unknown, path: string, above: readonly string[]): string[] => {
    if (Array.isArray(node)) return node.flatMap((each: unknown) => within(each, path, above));
    const parsed = schema.safeParse(node);
    if (!parsed.success) return [];
    const { $ref: reference, properties = {}, ...others } = parsed.data;
    const name = reference?.split('/').at(-1);
    if (name !== undefined)
      return above.includes(name) ? [] : within(components.schemas[name], path, [...above, name]);
    return [
      ...['anyOf', 'oneOf', 'allOf', 'items', 'additionalProperties'].flatMap((key) =>
        within(others[key], path, above),
      ),
      ...Object.entries(properties).flatMap(([field, value]) => [
        ...(NAME.test(field) || DESCRIPTION.test(value.description ?? '') ? [`${path}.${field}`] : []),
        ...within(value, `${path}.${field}`, above),
      ]),
    ];
  };
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) =>
        Object.values(requestBody?.content ?? {}).flatMap(({ schema: body }) =>
          within(body, `${method.toUpperCase()} ${path} `, []),
        ),
      ),
    )
    .sort();
}
