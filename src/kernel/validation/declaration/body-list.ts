import { Body } from '@nestjs/common';
import { ApiBody, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { list, model, type Model, type TypeShape } from './field-types';

const bodyLists = new WeakMap<object, Map<string | symbol, TypeShape>>();

interface ListOptions {
  readonly min?: number;
  readonly max?: number;
  readonly example?: readonly object[];
}

/**
 * The body is a JSON array of objects of one class; used in place of `@Body()`.
 * @param options how many items there may be, and an example of the list
 */
export function BodyList(of: Model, options: ListOptions = {}): ParameterDecorator {
  return (target, method, index) => {
    const handler = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method === undefined || !handler) throw new Error('@BodyList belongs on a parameter of a handler.');
    Body()(target, method, index);
    const item = model(() => of);
    const ofClass = bodyLists.get(target) ?? new Map<string | symbol, TypeShape>();
    bodyLists.set(target, ofClass.set(method, list(item, options).shape));
    ApiExtraModels(of)(target, method, handler);
    ApiBody({
      schema: {
        type: 'array',
        items: { $ref: getSchemaPath(of) },
        ...(options.min === undefined ? {} : { minItems: options.min }),
        ...(options.max === undefined ? {} : { maxItems: options.max }),
        ...(options.example === undefined ? {} : { example: [...options.example] }),
      },
    })(target, method, handler);
  };
}

/** The type of the handler's body as `@BodyList` declared it, if it did. */
export function bodyListOf(prototype: object, method: string): TypeShape | undefined {
  return bodyLists.get(prototype)?.get(method);
}
