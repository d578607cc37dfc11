import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

type PathItem = OpenAPIObject['paths'][string];
type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** Requests that the service itself makes, for `webhooks` of the OpenAPI document: whoever makes them declares them here. */
@Injectable()
export class DeclaredWebhooks {
  private readonly items = new Map<string, PathItem>();
  private readonly named = new Map<string, Schema>();

  /**
   * @param name what the request is called
   * @param item its operation
   * @param schemas the components that it refers to, by name
   */
  declare(name: string, item: PathItem, schemas: Readonly<Record<string, Schema>>): void {
    this.items.set(name, item);
    for (const [component, schema] of Object.entries(schemas)) this.named.set(component, schema);
  }

  /** A copy of the requests, by name. */
  all(): Record<string, PathItem> {
    return structuredClone(Object.fromEntries(this.items));
  }

  /** A copy of the components, by name. */
  schemas(): Record<string, Schema> {
    return structuredClone(Object.fromEntries(this.named));
  }
}
