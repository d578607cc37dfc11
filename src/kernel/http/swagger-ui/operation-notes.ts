/**
 * A plugin of Swagger UI: over the parameters of each operation it shows `x-permission`, and `x-to-put-in` if the
 * operation has it. It runs in the browser, from its source text: it uses nothing of this file.
 */
export function operationNotes(): object {
  /** Security schemes that are no keys of users, with a note for operations that take only these. */
  const OTHER_KEYS = [
    {
      name: 'X-Session-API-Key',
      whose: 'the key of a sandbox',
      toPutIn: 'the session_api_key of a sandbox of yours',
    },
    {
      name: 'X-Service-API-Key',
      whose: 'the key of another service',
      toPutIn: 'what SERVICE_API_KEY is set to',
    },
  ];

  const schemesOf = (operation: StateMap): readonly string[] => {
    const security = operation.get('security');
    const listed: unknown = JSON.parse(JSON.stringify(security ?? []));
    return Array.isArray(listed) ? listed.flatMap((one: object) => Object.keys(one)) : [];
  };
  const otherKeyOf = (schemes: readonly string[]) =>
    OTHER_KEYS.find(({ name }) => schemes.length > 0 && schemes.every((scheme) => scheme === name));
  const permissionOf = (operation: StateMap, schemes: readonly string[]): string => {
    const permission = operation.get('x-permission');
    if (typeof permission === 'string') return permission;
    if (schemes.length === 0) return 'none; no key either';
    return `none; ${otherKeyOf(schemes)?.whose ?? 'any key'}`;
  };

  return {
    wrapComponents: {
      parameters:
        (Original: Component<ParametersProps>, system: SwaggerSystem) => (props: ParametersProps) => {
          const { createElement, Fragment } = system.React;
          const operation = system.specSelectors.specJson().getIn(['paths', ...props.pathMethod]) as
            | StateMap
            | undefined;
          // Callbacks have no permission, and are not tried out.
          if (operation === undefined) return createElement(Original, props);
          const schemes = schemesOf(operation);
          const otherKey = otherKeyOf(schemes);
          const isMissing =
            otherKey !== undefined && system.authSelectors.authorized()?.getIn([otherKey.name]) === undefined;
          const toPutIn = operation.get('x-to-put-in');
          const line = (className: string, ...said: readonly unknown[]): unknown =>
            createElement('p', { className }, ...said);
          return createElement(
            Fragment,
            null,
            createElement(
              'div',
              { className: 'opblock-section operation-notes' },
              line(
                'permission',
                createElement('code', null, 'x-permission'),
                `: ${permissionOf(operation, schemes)}`,
              ),
              isMissing && line('to-put-in', `Give ${otherKey.name} of "Authorize" ${otherKey.toPutIn}.`),
              typeof toPutIn === 'string' && line('to-put-in', toPutIn),
            ),
            createElement(Original, props),
          );
        },
    },
  };
}

/** A part of Swagger UI's state (Immutable.js), as far as the plugins read it. */
interface StateMap {
  get(name: string): unknown;
  getIn(path: readonly string[]): unknown;
}

/** The properties of the row of a parameter. */
export interface RowProps {
  /** Path and method of the operation. */
  readonly pathMethod: readonly [path: string, method: string];
  readonly rawParam: StateMap;
  /** Whether the operation is being tried out. */
  readonly isExecute: boolean;
}

/** The properties of the parameters of an operation. */
interface ParametersProps {
  readonly pathMethod: readonly [path: string, method: string];
}

/** A component of React; what it makes is opaque here. */
export type Component<Props> = (props: Props) => unknown;

/** What Swagger UI gives to plugins, as far as they use it: https://swagger.io/docs/open-source-tools/swagger-ui. */
export interface SwaggerSystem {
  readonly React: {
    readonly createElement: (type: unknown, props: object | null, ...children: readonly unknown[]) => unknown;
    readonly Fragment: unknown;
    useEffect(effect: () => (() => void) | undefined, dependencies: readonly unknown[]): void;
    useState<State>(initial: State): [State, (next: State) => void];
  };
  readonly Im: { fromJS(value: readonly unknown[]): unknown };
  readonly specSelectors: {
    parameterWithMetaByIdentity(
      pathMethod: RowProps['pathMethod'],
      parameter: StateMap,
    ): StateMap | undefined;
    operationWithMeta(path: string, method: string): StateMap;
    specJson(): StateMap;
  };
  readonly specActions: {
    changeParamByIdentity(
      pathMethod: RowProps['pathMethod'],
      parameter: StateMap,
      value: unknown,
      isXml: boolean,
    ): void;
  };
  readonly authSelectors: { authorized(): StateMap | undefined };
}
