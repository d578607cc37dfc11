import type { ExampleSource } from '../../validation';
import type { Component, RowProps, SwaggerSystem } from './operation-notes';

/**
 * A plugin of Swagger UI: parameters with an {@link ExampleSource} get a value from it when an operation is tried out, or
 * say how to come by one. It runs in the browser, from its source text: it uses nothing of this file, and asks with the
 * key that was given to "Authorize".
 */
export function prefilledParameters(): object {
  type Ask = (path: string) => Promise<unknown>;
  interface Parameter {
    readonly name: string;
    readonly 'x-example-from'?: ExampleSource;
  }

  /** The document as plain objects, without Immutable.js. */
  const plain = (state: unknown): unknown => JSON.parse(JSON.stringify(state));
  const at = (value: unknown, name: string): unknown =>
    value instanceof Object ? Reflect.get(value, name) : undefined;

  const find = async (
    source: ExampleSource,
    parameters: readonly Parameter[],
    ask: Ask,
  ): Promise<unknown> => {
    let path = source.get;
    for (const [placeholder, name] of path.matchAll(/\{(\w+)\}/g)) {
      const of = parameters.find((parameter) => parameter.name === name)?.['x-example-from'];
      const value = of && (await find(of, parameters, ask));
      if (typeof value !== 'string') return undefined;
      path = path.replace(placeholder, value);
    }
    const body = await ask(path);
    const excluded = source.notIdOf === undefined ? undefined : at(await ask(source.notIdOf), 'id');
    const listed = source.list === undefined ? [body] : source.list === '' ? body : at(body, source.list);
    const candidates = Array.from<unknown>(Array.isArray(listed) ? listed : []).filter(
      (one) => at(one, source.value) !== excluded,
    );
    if (source.oldestFirst) candidates.reverse();
    const preferred = candidates.find((one) =>
      Object.entries(source.prefer ?? {}).every(([name, value]) => at(one, name) === value),
    );
    return at(preferred ?? candidates[0], source.value);
  };

  const isFilled = (value: unknown): boolean =>
    typeof value === 'string' ? value !== '' : (at(value, 'size') ?? 0) !== 0;
  const ASKING = 'Asking for yours ...';

  const asker =
    (key: string): Ask =>
    async (path) => {
      try {
        const response = await fetch(path, { headers: { 'X-Access-Token': key }, credentials: 'omit' });
        return response.ok ? await response.json() : undefined;
      } catch {
        // Whoever presses "Execute" sees that the service is not reached.
        return undefined;
      }
    };

  return {
    wrapComponents: {
      parameterRow: (Original: Component<RowProps>, system: SwaggerSystem) => (props: RowProps) => {
        const { React, Im, specActions, specSelectors, authSelectors } = system;
        const { pathMethod, rawParam, isExecute } = props;
        const [answer, setAnswer] = React.useState<{ readonly key: string; readonly said: string } | null>(
          null,
        );
        const given = authSelectors.authorized()?.getIn(['X-Access-Token', 'value']);
        const key = typeof given === 'string' ? given : '';
        const { 'x-example-from': source } = plain(rawParam) as Parameter;
        React.useEffect(() => {
          if (source === undefined || !isExecute) return undefined;
          const say = (said: string): void => setAnswer({ key, said });
          const put = (value: unknown, said: string): void => {
            const shown = typeof value === 'string' || typeof value === 'number' ? [`${value}`] : [];
            const isList = rawParam.getIn(['schema', 'type']) === 'array';
            const filled = isList ? Im.fromJS(shown) : (shown[0] ?? '');
            specActions.changeParamByIdentity(pathMethod, rawParam, filled, false);
            say(said);
          };
          if (key === '') {
            put(undefined, 'Give your key to "Authorize" at the top, and this is filled in.');
            return undefined;
          }
          let isShown = true;
          put(undefined, ASKING);
          const others = plain(
            specSelectors.operationWithMeta(...pathMethod).get('parameters'),
          ) as Parameter[];
          void find(source, others, asker(key)).then((value) => {
            const typed = specSelectors.parameterWithMetaByIdentity(pathMethod, rawParam)?.get('value');
            if (!isShown) return;
            // Values that were typed meanwhile stay.
            if (isFilled(typed)) say('');
            else put(value, value === undefined ? source.none : '');
          });
          return () => {
            isShown = false;
            setAnswer(null);
          };
        }, [key, isExecute]);
        const said = answer?.key === key ? answer.said : ASKING;
        const note = source !== undefined && isExecute ? said : '';
        const { createElement } = React;
        const row = createElement(Original, props);
        if (note === '') return row;
        const cell = createElement('td', { colSpan: 2, className: 'to-put-in' }, note);
        return createElement(React.Fragment, null, row, createElement('tr', null, cell));
      },
    },
  };
}
