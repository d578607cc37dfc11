import type { Component, ParametersProps, StateMap, SwaggerSystem } from './swagger-system';

/**
 * A plugin of Swagger UI: over the parameters of each operation it shows `x-permission`, and `x-to-put-in` if the
 * operation has it. It runs in the browser, from its source text: it uses nothing of this file.
 */
export function operationNotes(): object {
  const SANDBOX_KEY = 'X-Session-API-Key';

  const schemesOf = (operation: StateMap): readonly string[] => {
    const security = operation.get('security');
    const listed: unknown = JSON.parse(JSON.stringify(security ?? []));
    return Array.isArray(listed) ? listed.flatMap((one: object) => Object.keys(one)) : [];
  };
  const permissionOf = (operation: StateMap, schemes: readonly string[]): string => {
    const permission = operation.get('x-permission');
    if (typeof permission === 'string') return permission;
    if (schemes.length === 0) return 'none; no key either';
    return schemes.every((scheme) => scheme === SANDBOX_KEY) ? 'none; the key of a sandbox' : 'none; any key';
  };

  return {
    wrapComponents: {
      parameters:
        (Original: Component<ParametersProps>, system: SwaggerSystem) => (props: ParametersProps) => {
          const { createElement, Fragment } = system.React;
          const operation = system.specSelectors.specJson().getIn(['paths', ...props.pathMethod]) as StateMap;
          const schemes = schemesOf(operation);
          const isOfSandbox = schemes.length > 0 && schemes.every((scheme) => scheme === SANDBOX_KEY);
          const hasKey = system.authSelectors.authorized()?.getIn([SANDBOX_KEY]) !== undefined;
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
              isOfSandbox &&
                !hasKey &&
                line(
                  'to-put-in',
                  `Give ${SANDBOX_KEY} of "Authorize" the session_api_key of a sandbox of yours.`,
                ),
              typeof toPutIn === 'string' && line('to-put-in', toPutIn),
            ),
            createElement(Original, props),
          );
        },
    },
  };
}
