import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { isRecord } from '../../common';
import { fieldModels, type Model } from '../../validation';
import type { DeclaredRoute } from '../guards/declared-routes';

/** Where decorators of @nestjs/swagger keep what they were given; it does not export these. */
const NOTED = {
  operation: 'swagger/apiOperation',
  responses: 'swagger/apiResponse',
  extraModels: 'swagger/apiExtraModels',
  properties: 'swagger/apiModelProperties',
  propertyNames: 'swagger/apiModelPropertiesArray',
  schema: 'swagger/apiSchema',
  isControllerHidden: 'swagger/apiExcludeController',
  isEndpointHidden: 'swagger/apiExcludeEndpoint',
} as const;

/** By what the document names the operation of a route; null for one that it does not show. */
export function operationIdOf({ controller, handler }: DeclaredRoute): string | null {
  const hidden = [
    Reflect.getMetadata(NOTED.isControllerHidden, controller),
    Reflect.getMetadata(NOTED.isEndpointHidden, handler),
  ];
  if (hidden.some((metadata: unknown) => isTrue(metadata))) return null;
  const operation: unknown = Reflect.getMetadata(NOTED.operation, handler);
  const named = isRecord(operation) ? operation.operationId : undefined;
  return typeof named === 'string' ? named : handler.name;
}

function isTrue(metadata: unknown): boolean {
  return Array.isArray(metadata) ? metadata[0] === true : isRecord(metadata) && metadata.disable === true;
}

/** By what the document names the schema of a class. */
export function schemaNameOf(model: Model): string {
  const noted: unknown = Reflect.getOwnMetadata(NOTED.schema, model);
  const last: unknown = Array.isArray(noted) ? noted.at(-1) : undefined;
  return isRecord(last) && typeof last.name === 'string' ? last.name : model.name;
}

/** The classes that become schemas for a route: those of its bodies, and all that these refer to. */
export function modelsOfRoute(route: DeclaredRoute): Set<Model> {
  const found = new Set<Model>();
  for (const model of rootsOf(route)) collect(model, found);
  return found;
}

function rootsOf({ controller, handler }: DeclaredRoute): Model[] {
  const args: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name);
  const types: unknown = Reflect.getMetadata('design:paramtypes', prototypeOf(controller), handler.name);
  const bodies = isRecord(args)
    ? Object.entries(args).filter(([key]) => key.startsWith(`${RouteParamtypes.BODY}:`))
    : [];
  const ofBodies = bodies.map(([, argument]) =>
    isRecord(argument) && Array.isArray(types) ? (types[Number(argument.index)] as unknown) : undefined,
  );
  const noted = [controller, handler].flatMap((target) => {
    const responses: unknown = Reflect.getMetadata(NOTED.responses, target);
    const extra: unknown = Reflect.getMetadata(NOTED.extraModels, target);
    return [
      ...(isRecord(responses) ? Object.values(responses).map((one) => isRecord(one) && one.type) : []),
      ...(Array.isArray(extra) ? (extra as unknown[]) : []),
    ];
  });
  return [...ofBodies, ...noted].flatMap(modelsIn);
}

function collect(model: Model, found: Set<Model>): void {
  if (found.has(model)) return;
  found.add(model);
  const prototype = prototypeOf(model);
  const names: unknown = Reflect.getMetadata(NOTED.propertyNames, prototype);
  const ofProperties = (Array.isArray(names) ? names : []).flatMap((name: unknown) => {
    const property: unknown = Reflect.getMetadata(
      NOTED.properties,
      prototype,
      String(name).replace(/^:/, ''),
    );
    return isRecord(property) ? modelsIn(property.type) : [];
  });
  for (const other of [...ofProperties, ...fieldModels(model)]) collect(other, found);
}

function prototypeOf({ prototype }: { readonly prototype: unknown }): object {
  return isRecord(prototype) ? prototype : {};
}

const PLAIN = new Set<unknown>([String, Number, Boolean, Object, Array, Date, Promise, Buffer, Function]);

/** A type as decorators take it: a class, a list of one, or a function that returns either. */
function modelsIn(type: unknown): Model[] {
  if (Array.isArray(type)) return type.flatMap(modelsIn);
  if (typeof type !== 'function' || PLAIN.has(type)) return [];
  if (type.prototype === undefined) return modelsIn(Reflect.apply(type, undefined, []));
  return [type as Model];
}
