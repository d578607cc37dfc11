import type { Component, RowProps, SwaggerSystem } from './swagger-system';

/**
 * A plugin of Swagger UI: parameters that name something of the caller's get the id of the latest one when an
 * operation is tried out, or say how to come by one. It runs in the browser, from its source text: it uses nothing
 * of this file, and asks with the key that was given to "Authorize".
 */
export function prefilledParameters(): object {
  type Ask = (path: string) => Promise<unknown>;
  interface Source {
    /** Of what the parameter names: a path and a parameter, with a space between them. */
    readonly of: RegExp;
    readonly find: (ask: Ask) => Promise<unknown>;
    readonly none: string;
  }

  const at = (value: unknown, ...names: readonly (string | number)[]): unknown =>
    names.reduce<unknown>(
      (inside, name) => (inside instanceof Object ? Reflect.get(inside, name) : undefined),
      value,
    );
  const listOf = (value: unknown): readonly unknown[] =>
    Array.isArray(value) ? Array.from<unknown>(value) : [];
  const organization = async (ask: Ask): Promise<unknown> => at(await ask('/api/v1/users/me'), 'org_id');
  const conversation = async (ask: Ask): Promise<unknown> =>
    at(await ask('/api/v1/app-conversations/search?limit=1'), 'items', 0, 'id');
  const inOrganization = async (ask: Ask, path: string): Promise<unknown> =>
    ask(`/api/organizations/${String(await organization(ask))}/${path}`);
  const ofConversation = async (ask: Ask, kind: string, path: string): Promise<unknown> => {
    const id = await conversation(ask);
    return typeof id === 'string' ? ask(`/api/v1/${kind}/${id}/${path}`) : undefined;
  };
  const sandbox = async (ask: Ask): Promise<unknown> => {
    const all = listOf(at(await ask('/api/v1/sandboxes/search'), 'items'));
    return at(all.find((one) => at(one, 'status') === 'RUNNING') ?? all[0], 'id');
  };
  const event = async (ask: Ask): Promise<unknown> =>
    at(
      await ofConversation(ask, 'conversation', 'events/search?limit=1&sort_order=TIMESTAMP_DESC'),
      'items',
      0,
      'id',
    );
  const otherKey = async (ask: Ask): Promise<unknown> => {
    const own = at(await ask('/api/keys/current'), 'id');
    return at(
      listOf(await ask('/api/keys')).findLast((key) => at(key, 'id') !== own),
      'id',
    );
  };
  const otherMember = async (ask: Ask): Promise<unknown> => {
    const own = at(await ask('/api/v1/users/me'), 'id');
    const members = listOf(at(await inOrganization(ask, 'members'), 'items'));
    return at(
      members.find((one) => at(one, 'user_id') !== own),
      'user_id',
    );
  };
  const waiting = async (ask: Ask): Promise<unknown> => {
    const all = listOf(at(await ofConversation(ask, 'conversations', 'pending-messages'), 'items'));
    return at(
      all.find((one) => at(one, 'state') === 'queued'),
      'id',
    );
  };

  const webhook = async (ask: Ask): Promise<unknown> =>
    at(await inOrganization(ask, 'webhooks'), 'items', 0, 'id');
  const delivery = async (ask: Ask): Promise<unknown> =>
    at(await inOrganization(ask, `webhooks/${String(await webhook(ask))}/deliveries`), ...['items', 0, 'id']);

  const START = 'You have no conversation yet: start one with POST /api/v1/app-conversations.';
  const SOURCES: readonly Source[] = [
    { of: / org_id$/, find: organization, none: 'You are in no organization.' },
    {
      of: / conversation_id$|app-conversations\/\{id\} id$|app-conversations ids$/,
      find: conversation,
      none: START,
    },
    {
      of: /start-tasks ids$/,
      find: async (ask) =>
        at(await ask('/api/v1/app-conversations/start-tasks/search?limit=1'), 'items', 0, 'id'),
      none: START,
    },
    {
      of: / event_id$|events ids$/,
      find: event,
      none: 'Your latest conversation has no events yet, or there is none: send it a message.',
    },
    {
      of: / sandbox_id$|\/sandboxes id$/,
      find: sandbox,
      none: 'You have no sandbox yet: start one with POST /api/v1/sandboxes.',
    },
    {
      of: /\/sandbox-specs id$/,
      find: async (ask) => at(await ask('/api/v1/sandbox-specs/search'), 'items', 0, 'id'),
      none: 'There is no kind of sandboxes.',
    },
    {
      of: / key_id$/,
      find: otherKey,
      none: 'The only key you have is the one in use: make one with POST /api/keys.',
    },
    {
      of: / session_id$/,
      find: async (ask) => at(await ask('/api/sessions'), 0, 'id'),
      none: 'You are signed in in no browser: sign in to the web interface, and read GET /api/sessions.',
    },
    {
      of: /^\/api\/service\/.* user_id$/,
      find: async (ask) => at(await ask('/api/v1/users/me'), 'id'),
      none: 'You are in no organization.',
    },
    {
      of: / user_id$/,
      find: otherMember,
      none: 'You are the only member: put in the id of another one, once somebody accepted an invitation.',
    },
    {
      of: / invitation_id$/,
      find: async (ask) => at(await inOrganization(ask, 'members/invite'), 'items', 0, 'id'),
      none: 'Nobody is invited: invite somebody with POST /api/organizations/{org_id}/members/invite.',
    },
    {
      of: / message_id$/,
      find: waiting,
      none: 'No message of your latest conversation waits: pause its sandbox, and queue one with POST.',
    },
    {
      of: / connection_id$/,
      find: async (ask) => at(await inOrganization(ask, 'provider-connections'), 'connections', 0, 'id'),
      none: 'The organization has no connection: make one with POST.',
    },
    {
      of: / webhook_id$/,
      find: webhook,
      none: 'The organization has no webhook: make one with POST.',
    },
    {
      of: / delivery_id$/,
      find: delivery,
      none: 'Nothing was sent to the webhook: send a test.',
    },
    {
      of: /organizations.* credential_id$/,
      find: async (ask) => at(await inOrganization(ask, 'git-credentials'), 'credentials', 0, 'id'),
      none: 'The organization has no credentials: store some with POST.',
    },
    {
      of: / credential_id$/,
      find: async (ask) => at(await ask('/api/v1/git/credentials'), 'credentials', 0, 'id'),
      none: 'You have no credentials: store some with POST.',
    },
    {
      of: /v1\/secrets\/\{secret_name\} secret_name$/,
      find: async (ask) => at(await ask('/api/v1/secrets/search'), 'items', 0, 'name'),
      none: 'You have no secret: store one with POST /api/v1/secrets.',
    },
    {
      of: /organizations.*agent-profiles\/\{name\}.* name$/,
      find: async (ask) => at(await inOrganization(ask, 'agent-profiles'), 'profiles', 0, 'name'),
      none: 'The organization has no profile of an agent: store one with POST.',
    },
    {
      of: /organizations.*profiles\/\{name\}.* name$/,
      find: async (ask) => at(await inOrganization(ask, 'profiles'), 'profiles', 0, 'name'),
      none: 'The organization has no profile: store one with POST.',
    },
    {
      of: /settings\/profiles\/\{name\}.* name$/,
      find: async (ask) => at(await ask('/api/v1/settings/profiles'), 'profiles', 0, 'name'),
      none: 'You have no profile: store one with POST.',
    },
    {
      of: /agent-profiles\/\{name\}.* name$/,
      find: async (ask) => at(await ask('/api/agent-profiles'), 'profiles', 0, 'name'),
      none: 'You have no profile of an agent: store one with POST.',
    },
  ];

  const isFilled = (value: unknown): boolean =>
    typeof value === 'string' ? value !== '' : (at(value, 'size') ?? 0) !== 0;
  const ASKING = 'Asking for yours ...';

  /** What is stored under a name gets it from its caller. */
  const isNew = (method: string, name: string): boolean => method === 'post' && name.endsWith('{name} name');

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
        const [path, method] = pathMethod;
        const [answer, setAnswer] = React.useState<{ readonly key: string; readonly said: string } | null>(
          null,
        );
        const given = authSelectors.authorized()?.getIn(['X-Access-Token', 'value']);
        const key = typeof given === 'string' ? given : '';
        const name = `${path} ${String(rawParam.get('name'))}`;
        const isAsked = rawParam.get('in') === 'path' || rawParam.get('in') === 'query';
        const source = isAsked && !isNew(method, name) ? SOURCES.find(({ of }) => of.test(name)) : undefined;
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
          void source.find(asker(key)).then((value) => {
            const typed = specSelectors.parameterWithMetaByIdentity(pathMethod, rawParam)?.get('value');
            if (!isShown) return;
            // What somebody has typed meanwhile stays.
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
