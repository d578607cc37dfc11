import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { isRecord } from '../../common';
import { bodyListOf } from '../declaration/body-list';
import { validationResponseOf } from '../errors/validation-response';
import { anything, list, model, type Model, type TypeShape } from '../declaration/field-types';
import { RequestPlan } from './request-plan';

const PATH: number = RouteParamtypes.PARAM;
const QUERY: number = RouteParamtypes.QUERY;
const HEADERS: number = RouteParamtypes.HEADERS;
const BODY: number = RouteParamtypes.BODY;

/** A controller class. */
export type Controller = abstract new (...args: never[]) => object;

const plans = new WeakMap<Controller, Map<string, RequestPlan>>();

/** How the requests of each handler are checked, compiled from what the handler declares. */
export const RequestPlans = {
  /**
   * The plan of a handler; compiled once.
   * @throws Error when the handler takes a single path, query or body value instead of a class of them
   */
  for(controller: Controller, handler: string): RequestPlan {
    const ofClass = plans.get(controller) ?? new Map<string, RequestPlan>();
    plans.set(controller, ofClass);
    const known = ofClass.get(handler);
    if (known) return known;
    const plan = compilePlan(controller, handler);
    ofClass.set(handler, plan);
    return plan;
  },
};

function compilePlan(controller: Controller, handler: string): RequestPlan {
  const prototype: unknown = controller.prototype;
  if (!isRecord(prototype)) throw new Error('A controller is a class.');
  const method: unknown = Reflect.get(prototype, handler);
  if (typeof method !== 'function') throw new Error(`${controller.name} has no handler ${handler}.`);
  const types = listOf(Reflect.getMetadata(PARAMTYPES_METADATA, prototype, handler));
  let params: Model | undefined;
  let query: Model | undefined;
  let headers: Model | undefined;
  let body: TypeShape | undefined;
  for (const { place, index, name } of argumentsOf(controller, handler)) {
    const where = `argument ${index + 1} of ${controller.name}.${handler}`;
    if ((place === PATH || place === QUERY || place === BODY) && name !== undefined) {
      throw new Error(`The ${where} takes the single value '${name}': declare a class of all of them.`);
    }
    const type = types[index];
    if (place === PATH) params = modelOf(type, where);
    else if (place === QUERY) query = modelOf(type, where);
    else if (place === HEADERS && name === undefined) headers = modelOf(type, where);
    else if (place === BODY) body = bodyType(prototype, handler, type, where);
  }
  return new RequestPlan({ params, query, headers, body, validationResponse: validationResponseOf(method) });
}

function bodyType(prototype: object, handler: string, type: unknown, where: string): TypeShape {
  const declared = bodyListOf(prototype, handler);
  if (declared) return declared;
  if (type === Array) return list(anything()).shape;
  if (type === Object) return anything().shape;
  const of = modelOf(type, where);
  return model(() => of).shape;
}

interface Argument {
  readonly place: number;
  readonly index: number;
  readonly name: string | undefined;
}

/** The decorated arguments of a handler, as Nest stores them: under `<place>:<index>`. */
function argumentsOf(controller: Controller, handler: string): Argument[] {
  const metadata: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler);
  if (!isRecord(metadata)) return [];
  return Object.entries(metadata).map(([key, value]: [string, unknown]) => {
    const [place, index] = key.split(':').map(Number);
    const name = isRecord(value) && 'data' in value ? value.data : undefined;
    return { place: place ?? NaN, index: index ?? NaN, name: typeof name === 'string' ? name : undefined };
  });
}

function modelOf(type: unknown, where: string): Model {
  if (!isClass(type) || type === Object) throw new Error(`The ${where} needs a class as its type.`);
  return type;
}

function isClass(type: unknown): type is Model {
  return typeof type === 'function' && type !== String && type !== Number && type !== Boolean;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
