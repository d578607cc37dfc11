import type { SwaggerCustomOptions } from '@nestjs/swagger';
import { operationNotes, type Component, type SwaggerSystem } from './operation-notes';
import { prefilledParameters } from './prefilled-parameters';

const STYLE = `
.swagger-ui .operation-notes { padding: 10px 20px; }
.swagger-ui .operation-notes p { margin: 4px 0; font-size: 14px; }
.swagger-ui .to-put-in { color: #7a4b00; font-size: 14px; }
.swagger-ui td.to-put-in { padding-bottom: 10px; }
`;

/** How Swagger UI is set up at `/docs`: the key is asked for once, and what names something of the caller's is filled in. */
export const SWAGGER_UI: SwaggerCustomOptions = {
  // The document has an address of its own.
  raw: false,
  customSiteTitle: 'Organization Conversation Service',
  customCss: STYLE,
  swaggerOptions: {
    persistAuthorization: true,
    displayRequestDuration: true,
    plugins: [localReferences, prefilledParameters, operationNotes, collapsedCallbacks],
  },
};

/**
 * A plugin of Swagger UI: the callbacks of the document are shown once somebody asks for them, as a long list is drawn again
 * with every change. It runs in the browser, from its source text: it uses nothing of this file.
 */
function collapsedCallbacks(): object {
  return {
    wrapComponents: {
      Webhooks: (Original: Component<object>, system: SwaggerSystem) => (props: object) => {
        const { React } = system;
        const [isOpen, setOpen] = React.useState(false);
        const button = React.createElement(
          'button',
          {
            type: 'button',
            className: 'btn callbacks',
            'aria-expanded': isOpen,
            onClick: () => setOpen(!isOpen),
          },
          isOpen ? 'Hide the callbacks' : 'Show the callbacks',
        );
        const list = isOpen && React.createElement(Original, props);
        return React.createElement(React.Fragment, null, button, list);
      },
    },
  };
}

/**
 * A plugin of Swagger UI: resolves the references of an operation when it is opened. Its own resolver reads the whole
 * document for each, a second or more; here all references are local, and none leads back to itself. It runs in the
 * browser, from its source text: it uses nothing of this file.
 */
function localReferences(): object {
  type Json = Readonly<Record<string, unknown>>;
  const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
  const inside = (value: unknown, names: readonly string[]): unknown =>
    names.reduce<unknown>((found, name) => (isObject(found) ? found[name] : undefined), value);

  const resolved = (value: unknown, document: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolved(item, document));
    if (!isObject(value)) return value;
    const { $ref: reference, ...beside } = value;
    if (typeof reference !== 'string')
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, resolved(item, document)]),
      );
    const target = resolved(inside(document, reference.slice(2).split('/')), document);
    // Swagger UI calls the schema by the last part of `$$ref`.
    return isObject(target) ? { ...target, ...beside, $$ref: reference } : target;
  };

  return {
    fn: {
      resolveSubtree: (document: unknown, path: readonly string[]) =>
        Promise.resolve({ errors: [], spec: resolved(inside(document, path), document) }),
    },
  };
}
