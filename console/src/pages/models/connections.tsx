import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Field } from '../../parts/field';
import { useLoad } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Section } from '../../parts/page';
import { Empty, Shown } from '../../parts/states';
import { Suggested } from '../../parts/suggested';
import { type Column, DataTable, RowAction, RowActions } from '../../parts/table';
import { say, texts } from '../../text';
import { ADDRESS_COLUMNS } from './address-columns';
import { KeyFields } from './key-fields';
import { type Connection, connectionsOf, providersLike } from './operations';

/** What is asked for: a form for a new connection, or for one that is there, or that it goes. */
type Asked =
  | { readonly what: 'new' }
  | { readonly what: 'change' | 'remove'; readonly connection: Connection };

/** Addresses and keys of the organization at providers of models. */
export function Connections(): JSX.Element {
  const organization = useOrganization();
  const mayChange = organization.can('edit_org_settings');
  const [asked, setAsked] = useState<Asked>();
  const list = useLoad((signal) => connectionsOf(organization, signal), [organization.id]);
  return (
    <Section
      title={texts.models.connections}
      actions={
        mayChange && (
          <button type="button" class="secondary" onClick={() => setAsked({ what: 'new' })}>
            {texts.models.connect}
          </button>
        )
      }
    >
      <p>{texts.models.connectionsAbout}</p>
      <Shown of={list}>
        {(connections) =>
          connections.length === 0 ? (
            <Empty>{texts.models.noConnections}</Empty>
          ) : (
            <DataTable
              caption={texts.models.connections}
              rows={connections}
              idOf={({ id }) => id}
              columns={[...COLUMNS, ...(mayChange ? [actions(setAsked)] : [])]}
            />
          )
        }
      </Shown>
      {asked !== undefined && (
        <Dialog
          asked={asked}
          done={(sentence, provider) => {
            announce(say(sentence, { provider }));
            list.reload();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Section>
  );
}

function Dialog(props: {
  asked: Asked;
  done: (sentence: string, provider: string) => void;
  onClose: () => void;
}): JSX.Element {
  const { asked, done, onClose } = props;
  const { id: org_id } = useOrganization();
  if (asked.what === 'new')
    return (
      <ConnectionForm
        title={texts.models.connectTitle}
        label={texts.models.connect}
        save={async (body) => {
          const params = { path: { org_id } };
          await bodyOf(api.POST('/api/organizations/{org_id}/provider-connections', { params, body }));
          done(texts.models.connected, body.provider);
        }}
        onClose={onClose}
      />
    );
  const { connection } = asked;
  const { provider } = connection;
  const params = { path: { org_id, connection_id: connection.id } };
  const one = '/api/organizations/{org_id}/provider-connections/{connection_id}';
  if (asked.what === 'change')
    return (
      <ConnectionForm
        title={say(texts.models.changeConnection, { provider })}
        label={texts.models.save}
        connection={connection}
        save={async (body) => {
          await bodyOf(api.PATCH(one, { params, body }));
          done(texts.models.connectionSaved, body.provider);
        }}
        onClose={onClose}
      />
    );
  return (
    <Confirm
      title={say(texts.models.removeConnection, { provider })}
      label={texts.models.remove}
      action={async () => {
        await bodyOf(api.DELETE(one, { params }));
        done(texts.models.connectionRemoved, provider);
      }}
      onClose={onClose}
    >
      <p>{texts.models.removeConnectionText}</p>
    </Confirm>
  );
}

/** What a form says of a connection; without a key, the one that is there stays. */
interface Given {
  readonly provider: string;
  readonly base_url: string | null;
  readonly api_key?: string | null;
}

function ConnectionForm(props: {
  title: string;
  label: string;
  connection?: Connection;
  save: (given: Given) => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { connection } = props;
  const organization = useOrganization();
  return (
    <Confirm
      title={props.title}
      label={props.label}
      action={(value) => {
        const key = value('api_key');
        return props.save({
          provider: value('provider'),
          base_url: value('base_url') || null,
          ...(key !== '' && { api_key: key }),
          ...(value('takes_key_away') !== '' && { api_key: null }),
        });
      }}
      onClose={props.onClose}
    >
      {(error: Error | undefined) => (
        <>
          <Field
            label={texts.models.provider}
            hint={texts.models.providerHint}
            error={error}
            field="body.provider"
          >
            <Suggested
              name="provider"
              required
              autofocus
              maxLength={100}
              defaultValue={connection?.provider ?? ''}
              search={(typed, signal) => providersLike(organization, typed, signal)}
            />
          </Field>
          <Field
            label={texts.models.baseUrl}
            hint={texts.models.baseUrlHint}
            error={error}
            field="body.base_url"
          >
            <input name="base_url" type="url" maxLength={2048} defaultValue={connection?.base_url ?? ''} />
          </Field>
          <KeyFields isSet={connection?.api_key_set === true} error={error} field="body.api_key" />
        </>
      )}
    </Confirm>
  );
}

const COLUMNS: readonly Column<Connection>[] = [
  { key: 'provider', name: texts.models.provider, isHeader: true, show: ({ provider }) => provider },
  ...ADDRESS_COLUMNS,
];

function actions(ask: (asked: Asked) => void): Column<Connection> {
  return {
    key: 'actions',
    name: texts.table.actions,
    show: (connection) => (
      <RowActions>
        <RowAction
          label={texts.models.change}
          of={connection.provider}
          onClick={() => ask({ what: 'change', connection })}
        />
        <RowAction
          label={texts.models.remove}
          of={connection.provider}
          onClick={() => ask({ what: 'remove', connection })}
        />
      </RowActions>
    ),
  };
}
