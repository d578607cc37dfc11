import type { OpenAPIObject } from '@nestjs/swagger';
import { openApiDocument } from '../../src/kernel/http';
import type { TestApp } from '../support/service/app';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** One operation of the service, as in the OpenAPI document. */
export interface DocumentedOperation {
  /** For test names. */
  readonly title: string;
  readonly method: string;
  /** With `{parameters}`. */
  readonly path: string;
  readonly operation: Operation;
  /** What `@Access` declares; undefined for public operations and those of agent servers. */
  readonly organization: unknown;
  readonly permission: unknown;
  /** The names of the security schemes. */
  readonly security: readonly string[];
}

/** All operations of the service. */
export function operationsOf({ app }: TestApp): DocumentedOperation[] {
  return Object.entries(openApiDocument(app).paths).flatMap(([path, methods]) =>
    (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
      const operation = methods[method];
      if (operation === undefined) return [];
      return [
        {
          title: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path,
          operation,
          organization: Reflect.get(operation, 'x-organization') as unknown,
          permission: Reflect.get(operation, 'x-permission') as unknown,
          security: (operation.security ?? []).flatMap((scheme) => Object.keys(scheme)),
        },
      ];
    }),
  );
}

/** The path with its parameters filled in: `org_id` as given, all others with an id that does not exist. */
export function filled(path: string, orgId: string): string {
  return path.replace('{org_id}', orgId).replaceAll(/\{[^}]*\}/g, 'a8098c1a-f86e-41da-bd1a-00112444be1e');
}

/** Every route of a controller, documented or not, as `GET /path/{parameter}`. */
export function routesOf({ app }: TestApp): string[] {
  const express = app.getHttpAdapter().getInstance();
  const ofFramework = /\*|^\/docs|^\/openapi\.json$/;
  return express.router.stack.flatMap(({ route }) =>
    route === undefined || ofFramework.test(route.path)
      ? []
      : route.stack.map(
          ({ method }) => `${method.toUpperCase()} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`,
        ),
  );
}
