import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { namedSchema } from './schemas';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;

/** Operations that no controller answers, for the OpenAPI document; the code that answers them registers them here. */
@Injectable()
export class ForwardedOperations {
  private readonly items = new Map<string, PathItem>();

  /** @param path with its `{parameters}` */
  declare(path: string, item: PathItem): void {
    this.items.set(path, item);
  }

  /** A copy of them all, by path. */
  all(): Record<string, PathItem> {
    return structuredClone(Object.fromEntries(this.items));
  }
}

/** Whether another server reads, checks and answers the request. */
export function isForwarded(operation: Operation): boolean {
  return Reflect.get(operation, 'x-forwarded') === true;
}

/** Without a type, as any is possible: client generators do not support a list of all types. */
const FORWARDED_SCHEMA = namedSchema('ForwardedResponse', {
  description: 'Whatever an agent server answers.',
});

/** What another server answers, of any type; JSON by its name, since generators of clients know no wildcards. */
export const FORWARDED_CONTENT = {
  'application/json': { schema: FORWARDED_SCHEMA },
  '*/*': { schema: FORWARDED_SCHEMA },
};

/** Another server may answer anything with the statuses that the service has errors for. */
export function allowOtherResponses({ responses }: Operation): void {
  for (const answer of Object.values(responses)) {
    const content = answer === undefined || '$ref' in answer ? undefined : answer.content;
    const own = content?.['application/json'];
    if (content === undefined || own === undefined || '*/*' in content) continue;
    own.schema = { anyOf: [own.schema ?? {}, FORWARDED_SCHEMA] };
    content['*/*'] = { schema: FORWARDED_SCHEMA };
  }
}
