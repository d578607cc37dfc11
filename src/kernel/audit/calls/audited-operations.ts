import { Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { isRecord } from '../../common';
import { type DeclaredRoute, DeclaredRoutes, ForwardedOperations, operationIdOf } from '../../http';

/** An operation, as rows of the audit log have it. */
export interface AuditedOperation {
  /** The operation's id in the document; of those that it does not show, the name of their handler. */
  readonly action: string;
  /** Whether it changes something, or tries to: each of its calls leaves a row. */
  readonly changes: boolean;
  /** Whether the row is written with the change; of those that are called all the time, it is written after the response. */
  readonly inTransaction: boolean;
  /** Whether its handler writes the response: its status is not known before that. */
  readonly respondsItself: boolean;
  /** Of the path, by which the target is found. */
  readonly template: string;
}

/** How the metadata of a handler that is given the response begins. */
const RESPONSE = `${RouteParamtypes.RESPONSE}:`;

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const CHANGING = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** What agents and people do all the time: a row in the transaction would be a part of its time (docs/audit-log.md#when-it-is-written). */
const HOT = new Set(['sendMessage', 'queuePendingMessage', 'receiveEvents', 'receiveConversation']);

/** What is asked by POST, or all the time, and changes nothing that is kept. */
const CHANGES_NOTHING = new Set([
  'checkSession',
  'dropEvent',
  'chooseProvider',
  'submitCode',
  'searchScimGroups',
  'searchScimUsers',
  'refuse',
]);

/** Browsers come back to it with what a provider of identities says, which signs them in. */
const CHANGES_BY_GET = new Set(['finish']);

/** What another server answers for, as the document has it. */
const LAST_PARAMETER = /\{(\w+)\}$/;

/** The operations of the service and of extensions, by their methods and the templates of their paths. */
@Injectable()
export class AuditedOperations {
  private known: ReadonlyMap<string, AuditedOperation> | undefined;

  constructor(
    private readonly routes: DeclaredRoutes,
    private readonly forwarded: ForwardedOperations,
  ) {}

  /** @param template as Express has it; null for a path that is no route */
  of(method: string, template: string | undefined): AuditedOperation | null {
    if (template === undefined) return null;
    this.known ??= new Map([...this.ofForwarded(), ...this.ofRoutes()]);
    return this.known.get(`${method} ${template}`) ?? null;
  }

  /** All of them that change something, or try to. */
  changing(): readonly AuditedOperation[] {
    this.of('', '');
    return [...(this.known?.values() ?? [])].filter(({ changes }) => changes);
  }

  private *ofRoutes(): Generator<[string, AuditedOperation]> {
    for (const route of this.routes.all())
      for (const template of route.paths)
        for (const method of methodsOf(route.method)) {
          const action = actionOf(route);
          const changes = READING.has(method)
            ? CHANGES_BY_GET.has(action) && method === 'GET'
            : !CHANGES_NOTHING.has(action);
          const inTransaction = !HOT.has(action);
          yield [
            `${method} ${template}`,
            { action, changes, inTransaction, respondsItself: respondsItself(route), template },
          ];
        }
  }

  private *ofForwarded(): Generator<[string, AuditedOperation]> {
    for (const [path, item] of Object.entries(this.forwarded.all())) {
      const template = path.replace(LAST_PARAMETER, '*$1').replaceAll(/\{(\w+)\}/g, ':$1');
      for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
        const action = item[method]?.operationId;
        if (action === undefined) continue;
        const changes = method !== 'get';
        const operation = { action, changes, inTransaction: false, respondsItself: true, template };
        // Express has another template of what cannot be passed on.
        for (const each of [template, template.replace(/\/\*(\w+)$/, '{/*$1}')])
          yield [`${method.toUpperCase()} ${each}`, operation];
      }
    }
  }
}

/** The methods that a route is for. */
function methodsOf(method: string): readonly string[] {
  if (method === 'ALL') return ['GET', 'HEAD', ...CHANGING];
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

function actionOf(route: DeclaredRoute): string {
  return operationIdOf(route) ?? route.handler.name;
}

function respondsItself({ controller, handler }: DeclaredRoute): boolean {
  const parameters: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name);
  return isRecord(parameters) && Object.keys(parameters).some((key) => key.startsWith(RESPONSE));
}
