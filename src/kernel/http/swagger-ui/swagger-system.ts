/** A part of Swagger UI's state (Immutable.js), as far as the plugins read it. */
export interface StateMap {
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
export interface ParametersProps {
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
