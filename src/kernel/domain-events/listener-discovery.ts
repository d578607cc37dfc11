import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { DomainEvents } from './domain-events';
import { ScopedListenerError } from './domain-events.errors';
import { type ListenerOptions, listenerOptionsOf } from './on-domain-event';

/** A decorated method of a class. */
interface DecoratedMethod {
  readonly method: (...args: unknown[]) => unknown;
  readonly options: ListenerOptions;
}

/**
 * Finds the listeners among all providers and controllers, those of extensions included. It runs before workers begin, so
 * that they take the jobs of every listener.
 */
@Injectable()
export class ListenerDiscovery implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly events: DomainEvents,
  ) {}

  /** @throws UnknownEventKindError, MalformedEventKindsError, ScopedListenerError; StartError when a name is taken */
  onModuleInit(): void {
    // A provider that also stands in for a port is found under both tokens.
    const seen = new Set<object>();
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      const instance: unknown = wrapper.instance;
      if (typeof instance !== 'object' || instance === null || seen.has(instance)) continue;
      seen.add(instance);
      const methods = this.methodsOf(instance);
      if (methods.length > 0 && !wrapper.isDependencyTreeStatic())
        throw new ScopedListenerError(String(wrapper.name));
      for (const { method, options } of methods)
        this.events.register(
          options.patterns,
          async (event, context) => {
            await method.call(instance, event, context);
          },
          options.afterCommit,
          options.eventKinds,
          `${instance.constructor.name}.${method.name}`,
        );
    }
  }

  private methodsOf(instance: object): DecoratedMethod[] {
    const prototype: unknown = Object.getPrototypeOf(instance);
    if (typeof prototype !== 'object' || prototype === null) return [];
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const method: unknown = Reflect.get(prototype, name);
      if (!isMethod(method)) return [];
      const options = listenerOptionsOf(method);
      return options === undefined ? [] : [{ method, options }];
    });
  }
}

function isMethod(value: unknown): value is DecoratedMethod['method'] {
  return typeof value === 'function';
}
