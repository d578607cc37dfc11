import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Field } from '../../parts/field';
import { useChange, useLoad } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Section } from '../../parts/page';
import { Empty, Failure, Shown } from '../../parts/states';
import { type Column, DataTable, RowAction, RowActions } from '../../parts/table';
import { say, texts } from '../../text';
import { ADDRESS_COLUMNS } from './address-columns';
import type { Profile, ProfileOperations } from './operations';
import { ProfileForm } from './profile-form';

/** What is asked for: a form for a new profile, or for one that is there, another name for it, or that it goes. */
type Asked =
  | { readonly what: 'new' }
  | { readonly what: 'change' | 'rename' | 'remove'; readonly name: string };

/** The model profiles of the person or of the organization; there are at most a hundred. */
export function Profiles(props: {
  title: string;
  about: string;
  /** The name of the button that adds one. */
  add: string;
  operations: ProfileOperations;
  mayChange: boolean;
}): JSX.Element {
  const { title, operations, mayChange } = props;
  const { id } = useOrganization();
  const [asked, setAsked] = useState<Asked>();
  const change = useChange();
  const list = useLoad((signal) => operations.list(signal), [id]);
  const done = (sentence: string, name: string): void => {
    announce(say(sentence, { name }));
    list.reload();
  };
  const activate = (name: string): void =>
    void change.run(async () => {
      await operations.activate(name);
      done(texts.models.activated, name);
    });
  return (
    <Section
      title={title}
      actions={
        mayChange && (
          <button type="button" class="secondary" onClick={() => setAsked({ what: 'new' })}>
            {props.add}
          </button>
        )
      }
    >
      <p>{props.about}</p>
      {change.error !== undefined && <Failure error={change.error} />}
      <Shown of={list}>
        {({ profiles, active_profile }) =>
          profiles.length === 0 ? (
            <Empty>{texts.models.noProfiles}</Empty>
          ) : (
            <DataTable
              caption={title}
              rows={profiles}
              idOf={({ name }) => name}
              columns={[
                ...columns(active_profile),
                ...(mayChange ? [actions(active_profile, setAsked, activate)] : []),
              ]}
            />
          )
        }
      </Shown>
      {asked !== undefined && (
        <Dialog
          asked={asked}
          add={props.add}
          operations={operations}
          names={list.data?.profiles.map(({ name }) => name) ?? []}
          done={done}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Section>
  );
}

function Dialog(props: {
  asked: Asked;
  add: string;
  operations: ProfileOperations;
  names: readonly string[];
  done: (sentence: string, name: string) => void;
  onClose: () => void;
}): JSX.Element {
  const { asked, operations, done, onClose } = props;
  if (asked.what === 'new' || asked.what === 'change')
    return (
      <ProfileForm
        title={asked.what === 'new' ? props.add : say(texts.models.changeProfile, { name: asked.name })}
        operations={operations}
        names={props.names}
        {...(asked.what === 'change' && { name: asked.name })}
        onSaved={(name) => done(texts.models.saved, name)}
        onClose={onClose}
      />
    );
  const { name } = asked;
  if (asked.what === 'rename')
    return (
      <Confirm
        title={say(texts.models.renameProfile, { name })}
        label={texts.models.rename}
        action={async (value) => {
          await operations.rename(name, value('new_name'));
          done(texts.models.renamed, value('new_name'));
        }}
        onClose={onClose}
      >
        {(error: Error | undefined) => (
          <Field label={texts.models.newName} error={error} field="body.new_name">
            <input name="new_name" required autofocus maxLength={100} dir="auto" defaultValue={name} />
          </Field>
        )}
      </Confirm>
    );
  return (
    <Confirm
      title={say(texts.models.removeProfile, { name })}
      label={texts.models.remove}
      action={async () => {
        await operations.remove(name);
        done(texts.models.removed, name);
      }}
      onClose={onClose}
    >
      <p>{texts.models.removeText}</p>
    </Confirm>
  );
}

function columns(active: string | null): readonly Column<Profile>[] {
  return [
    {
      key: 'name',
      name: texts.models.name,
      isHeader: true,
      show: ({ name }) => (
        <>
          <bdi>{name}</bdi> {name === active && <mark>{texts.models.active}</mark>}
        </>
      ),
    },
    { key: 'model', name: texts.models.model, show: ({ model }) => model },
    ...ADDRESS_COLUMNS,
  ];
}

function actions(
  active: string | null,
  ask: (asked: Asked) => void,
  activate: (name: string) => void,
): Column<Profile> {
  return {
    key: 'actions',
    name: texts.table.actions,
    show: ({ name }) => (
      <RowActions>
        {name !== active && (
          <RowAction label={texts.models.activate} of={name} onClick={() => activate(name)} />
        )}
        <RowAction label={texts.models.change} of={name} onClick={() => ask({ what: 'change', name })} />
        <RowAction label={texts.models.rename} of={name} onClick={() => ask({ what: 'rename', name })} />
        <RowAction label={texts.models.remove} of={name} onClick={() => ask({ what: 'remove', name })} />
      </RowActions>
    ),
  };
}
