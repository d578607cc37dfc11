import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { useLoad } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Section } from '../../parts/page';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, RowAction, RowActions } from '../../parts/table';
import { say, texts } from '../../text';
import { CredentialForm } from './credential-form';
import type { Credential, CredentialOperations } from './operations';

/** What is asked for: a form for a new credential or for one that is there, or to delete one. */
type Asked =
  | { readonly what: 'new' }
  | { readonly what: 'change' | 'deletion'; readonly credential: Credential };

/** The credentials of the person or of the organization; there are at most fifty. */
export function Credentials(props: {
  title: string;
  about: string;
  /** The name of the button that adds one. */
  add: string;
  operations: CredentialOperations;
}): JSX.Element {
  const { title, operations } = props;
  const { id } = useOrganization();
  const [asked, setAsked] = useState<Asked>();
  const list = useLoad((signal) => operations.list(signal), [id]);
  const close = (): void => setAsked(undefined);
  const done = (sentence: string, address: string): void => {
    announce(say(sentence, { address }));
    list.reload();
  };
  return (
    <Section
      title={title}
      actions={
        <button type="button" class="secondary" onClick={() => setAsked({ what: 'new' })}>
          {props.add}
        </button>
      }
    >
      <p>{props.about}</p>
      <Shown of={list}>
        {({ credentials }) =>
          credentials.length === 0 ? (
            <Empty />
          ) : (
            <DataTable
              caption={title}
              rows={credentials}
              idOf={(credential) => credential.id}
              columns={columns(setAsked)}
            />
          )
        }
      </Shown>
      {asked?.what === 'new' && (
        <CredentialForm
          title={props.add}
          label={texts.git.add}
          save={async ({ password = '', ...given }) => {
            const kept = await operations.create({ ...given, password });
            done(texts.git.added, kept.url_prefix);
          }}
          onClose={close}
        />
      )}
      {asked?.what === 'change' && (
        <CredentialForm
          title={texts.git.changeTitle}
          label={texts.git.save}
          kept={asked.credential}
          save={async (given) => {
            const changed = await operations.update(asked.credential.id, given);
            done(texts.git.changed, changed.url_prefix);
          }}
          onClose={close}
        />
      )}
      {asked?.what === 'deletion' && (
        <Confirm
          title={say(texts.git.deleteTitle, { address: asked.credential.url_prefix })}
          label={texts.git.deleteButton}
          action={async () => {
            await operations.remove(asked.credential.id);
            done(texts.git.deleted, asked.credential.url_prefix);
          }}
          onClose={close}
        >
          <p>{texts.git.deleteText}</p>
        </Confirm>
      )}
    </Section>
  );
}

function columns(ask: (asked: Asked) => void): readonly Column<Credential>[] {
  return [
    { key: 'address', name: texts.git.address, isHeader: true, show: ({ url_prefix }) => url_prefix },
    {
      key: 'username',
      name: texts.git.username,
      show: ({ username }) => (username === '' ? texts.git.noUsername : username),
    },
    {
      key: 'provider',
      name: texts.git.provider,
      show: ({ git_provider }) =>
        git_provider === null ? texts.git.unknownProvider : texts.git.providers[git_provider],
    },
    {
      key: 'actions',
      name: texts.table.actions,
      show: (credential) => (
        <RowActions>
          <RowAction
            label={texts.git.change}
            of={credential.url_prefix}
            onClick={() => ask({ what: 'change', credential })}
          />
          <RowAction
            label={texts.git.delete}
            of={credential.url_prefix}
            onClick={() => ask({ what: 'deletion', credential })}
          />
        </RowActions>
      ),
    },
  ];
}
