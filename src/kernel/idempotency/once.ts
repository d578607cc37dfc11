import type { IncomingMessage } from 'node:http';
import { createParamDecorator } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { isObservable, lastValueFrom } from 'rxjs';
import { isRecord, requestOf } from '../common';

/** Does the work of a handler, unless that was done before. @returns what it answers */
type Once = (work: () => Promise<unknown>) => Promise<unknown>;

const ONCE = Symbol('once');

declare module 'http' {
  interface IncomingMessage {
    [ONCE]?: Once;
  }
}

const handlers = new WeakSet<object>();

/** Sets how the work for a request is done once. */
export function setOnce(request: IncomingMessage, once: Once): void {
  request[ONCE] = once;
}

/** Whether a handler does its work as {@link setOnce} says. */
export function isDoneOnce(handler: object): boolean {
  return handlers.has(handler);
}

const OnceOfRequest = createParamDecorator((_: unknown, context) => requestOf(context)[ONCE]);

/**
 * Has a handler do its work as {@link setOnce} says, by a parameter behind its own. An interceptor would have Nest wrap each of
 * its calls in observables, which takes longer than all else the service does for a message.
 */
export function doneOnce(): MethodDecorator {
  return (prototype: object, name: string | symbol, descriptor: PropertyDescriptor): void => {
    const handler: unknown = descriptor.value;
    if (typeof handler !== 'function') throw new Error('Only a method can be idempotent.');
    const place = parametersOf(prototype, name);
    OnceOfRequest()(prototype, name, place);
    const once = function (this: unknown, ...args: unknown[]): unknown {
      const made: unknown = args[place];
      const work = (): unknown => Reflect.apply(handler, this, args);
      return typeof made === 'function' ? Reflect.apply(made, undefined, [() => settled(work())]) : work();
    };
    for (const key of Reflect.getOwnMetadataKeys(handler))
      Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, handler), once);
    handlers.add(once);
    descriptor.value = Object.defineProperty(once, 'name', { value: handler.name });
  };
}

/** How many parameters of a handler are decorated, up to the last one. */
function parametersOf(prototype: object, name: string | symbol): number {
  const parameters: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, prototype.constructor, name);
  const places = isRecord(parameters) ? Object.values(parameters).filter(isRecord) : [];
  return Math.max(0, ...places.map(({ index }) => Number(index) + 1));
}

async function settled(result: unknown): Promise<unknown> {
  const value = await result;
  return isObservable(value) ? lastValueFrom(value) : value;
}
