import type { Component, SwaggerSystem } from './swagger-system';

/**
 * A plugin of Swagger UI: the callbacks of the document are shown once somebody asks for them, as a long list is drawn again
 * with every change. It runs in the browser, from its source text: it uses nothing of this file.
 */
export function collapsedCallbacks(): object {
  return {
    wrapComponents: {
      Webhooks: (Original: Component<object>, system: SwaggerSystem) => (props: object) => {
        const { createElement, Fragment, useState } = system.React;
        const [isOpen, setOpen] = useState(false);
        const button = createElement(
          'button',
          {
            ...{ type: 'button', className: 'btn callbacks', 'aria-expanded': isOpen },
            onClick: () => setOpen(!isOpen),
          },
          isOpen ? 'Hide the callbacks' : 'Show the callbacks',
        );
        return createElement(Fragment, null, button, isOpen && createElement(Original, props));
      },
    },
  };
}
