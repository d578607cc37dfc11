import type { Component, SwaggerSystem } from './swagger-system';

/**
 * A plugin of Swagger UI: the callbacks of the document are shown once somebody asks for them, as a long list is drawn again
 * with every change. It runs in the browser, from its source text: it uses nothing of this file.
 */
export function collapsedCallbacks(): object {
  return {
    wrapComponents: {
      Webhooks: (Original: Component<object>, system: SwaggerSystem) => (props: object) => {
        const { React } = system;
        const [isOpen, setOpen] = React.useState(false);
        const button = React.createElement(
          'button',
          {
            ...{ type: 'button', className: 'btn callbacks', 'aria-expanded': isOpen },
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
