import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

type PathItem = OpenAPIObject['paths'][string];

/** Operations that no controller answers, for the OpenAPI document: whoever answers them declares them here. */
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
