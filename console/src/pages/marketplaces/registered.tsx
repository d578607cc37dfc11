import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { SafeLink } from '../../parts/link';
import { useLoad } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Section } from '../../parts/page';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, RowAction, RowActions } from '../../parts/table';
import { say, texts } from '../../text';
import type { Registration, RegistrationOperations } from './operations';
import { PreviewDialog } from './preview';
import { RegistrationForm } from './registration-form';

/** What is asked for: a form for a new registration or for one that is there, that one goes, or what they would load. */
type Asked =
  | { readonly what: 'new' }
  | { readonly what: 'previewOfAll' }
  | { readonly what: 'change' | 'remove' | 'preview'; readonly registration: Registration };

interface Props {
  title: string;
  about: string;
  /** The name of the button that adds one. */
  add: string;
  /** The name of the button that shows what all of them would load. */
  previewAll: string;
  operations: RegistrationOperations;
  mayChange: boolean;
}

/** The marketplaces that the person or the organization has registered. */
export function Registered(props: Props): JSX.Element {
  const { title, operations, mayChange } = props;
  const organization = useOrganization();
  const mayPreview = organization.can('edit_org_settings');
  const [asked, setAsked] = useState<Asked>();
  const settings = useLoad((signal) => operations.read(signal), [organization.id]);
  const all = settings.data?.registered_marketplaces ?? [];
  const save = async (next: Registration[], sentence: string, name: string): Promise<void> => {
    try {
      await operations.save(next, settings.data?.updated_at ?? null);
    } finally {
      // Where somebody else was quicker, the same is then done with what they have made of it.
      settings.reload();
    }
    announce(say(sentence, { name }));
  };
  return (
    <Section
      title={title}
      actions={
        <div class="buttons">
          {mayPreview && all.length > 0 && (
            <button
              type="button"
              class="secondary outline"
              onClick={() => setAsked({ what: 'previewOfAll' })}
            >
              {props.previewAll}
            </button>
          )}
          {mayChange && (
            <button type="button" class="secondary" onClick={() => setAsked({ what: 'new' })}>
              {props.add}
            </button>
          )}
        </div>
      }
    >
      <p>{props.about}</p>
      <Shown of={settings}>
        {({ registered_marketplaces: rows }) =>
          rows.length === 0 ? (
            <Empty>{texts.marketplaces.none}</Empty>
          ) : (
            <DataTable
              caption={title}
              rows={rows}
              idOf={({ name }) => name}
              columns={[...COLUMNS, ...actions({ mayChange, mayPreview }, setAsked)]}
            />
          )
        }
      </Shown>
      {asked !== undefined && (
        <Dialog {...props} {...{ asked, all, mayPreview, save }} onClose={() => setAsked(undefined)} />
      )}
    </Section>
  );
}

function Dialog(
  props: Props & {
    asked: Asked;
    all: readonly Registration[];
    mayPreview: boolean;
    save: (next: Registration[], sentence: string, name: string) => Promise<void>;
    onClose: () => void;
  },
): JSX.Element {
  const { asked, all, mayPreview, save, onClose } = props;
  if (asked.what === 'previewOfAll')
    return <PreviewDialog title={props.previewAll} registrations={all} onClose={onClose} />;
  if (asked.what === 'new')
    return (
      <RegistrationForm
        title={props.add}
        index={all.length}
        mayPreview={mayPreview}
        save={(added) => save([...all, added], texts.marketplaces.added, added.name)}
        onClose={onClose}
      />
    );
  const { registration } = asked;
  const { name } = registration;
  if (asked.what === 'preview')
    return (
      <PreviewDialog
        title={say(texts.marketplaces.previewOf, { name })}
        registrations={[registration]}
        onClose={onClose}
      />
    );
  if (asked.what === 'change')
    return (
      <RegistrationForm
        title={say(texts.marketplaces.changeTitle, { name })}
        index={all.findIndex((of) => of.name === name)}
        registration={registration}
        mayPreview={mayPreview}
        save={(changed) =>
          save(
            all.map((of) => (of.name === name ? changed : of)),
            texts.marketplaces.changed,
            changed.name,
          )
        }
        onClose={onClose}
      />
    );
  return (
    <Confirm
      title={say(texts.marketplaces.removeTitle, { name })}
      label={texts.marketplaces.remove}
      action={() =>
        save(
          all.filter((of) => of.name !== name),
          texts.marketplaces.removed,
          name,
        )
      }
      onClose={onClose}
    >
      <p>{texts.marketplaces.removeText}</p>
    </Confirm>
  );
}

const COLUMNS: readonly Column<Registration>[] = [
  { key: 'name', name: texts.marketplaces.name, isHeader: true, show: ({ name }) => name },
  { key: 'source', name: texts.marketplaces.source, show: ({ source }) => <SafeLink to={source} /> },
  { key: 'ref', name: texts.marketplaces.ref, show: ({ ref }) => ref ?? '–' },
  { key: 'folder', name: texts.marketplaces.folder, show: ({ repo_path }) => repo_path ?? '–' },
  {
    key: 'auto_load',
    name: texts.marketplaces.loaded,
    show: ({ auto_load }) => (auto_load ? texts.marketplaces.always : texts.marketplaces.byName),
  },
];

function actions(
  { mayChange, mayPreview }: { mayChange: boolean; mayPreview: boolean },
  ask: (asked: Asked) => void,
): Column<Registration>[] {
  const offered = [
    ...(mayPreview ? (['preview'] as const) : []),
    ...(mayChange ? (['change', 'remove'] as const) : []),
  ];
  if (offered.length === 0) return [];
  return [
    {
      key: 'actions',
      name: texts.table.actions,
      show: (registration) => (
        <RowActions>
          {offered.map((what) => (
            <RowAction
              key={what}
              label={texts.marketplaces[what]}
              of={registration.name}
              onClick={() => ask({ what, registration })}
            />
          ))}
        </RowActions>
      ),
    },
  ];
}
