import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Field } from '../../parts/field';
import type { Values } from '../../parts/form';
import { DialogForm, Modal } from '../../parts/modal';
import { number, say, size, texts } from '../../text';
import { When } from '../../parts/show';
import { type Column, DataTable } from '../../parts/table';
import { fieldOf, KINDS, period, type Periods } from './periods';

type Preview = Schemas['RetentionPreview'];
type Wanted = Required<Schemas['RetentionUpdate']>;

const words = texts.retention;

/** Asks for periods, shows what would go with them, and then sets them. */
export function Change(props: { periods: Periods; onChanged: () => void; onClose: () => void }): JSX.Element {
  const { periods, onChanged, onClose } = props;
  const { id: org_id } = useOrganization();
  const [wanted, setWanted] = useState<Wanted>(periods);
  const [preview, setPreview] = useState<readonly Preview[] | null>(null);
  const put = (body: Wanted, dry_run: boolean): Promise<Periods> =>
    bodyOf(
      api.PUT('/api/organizations/{org_id}/retention', {
        params: { path: { org_id }, query: { dry_run } },
        body,
      }),
    );
  const look = async (value: Values): Promise<void> => {
    const body = wantedOf(value);
    setWanted(body);
    setPreview((await put(body, true)).would_remove ?? []);
  };
  const set = async (): Promise<void> => {
    await put(wanted, false);
    announce(words.isSet);
    onChanged();
    onClose();
  };
  return (
    <Modal title={preview === null ? words.change : words.previewTitle} onClose={onClose}>
      {preview === null ? (
        <DialogForm key="periods" label={words.preview} action={look} onCancel={onClose}>
          {(error: Error | undefined) => <Fields {...{ wanted, error }} defaults={periods.defaults} />}
        </DialogForm>
      ) : (
        <DialogForm
          key="preview"
          label={words.set}
          action={set}
          cancel={texts.dialog.back}
          onCancel={() => setPreview(null)}
        >
          <WouldGo of={preview} />
        </DialogForm>
      )}
    </Modal>
  );
}

function Fields(props: {
  wanted: Wanted;
  defaults: Periods['defaults'];
  error: Error | undefined;
}): JSX.Element {
  return (
    <>
      {KINDS.map((kind) => (
        <Field
          key={kind}
          label={words.kinds[kind]}
          hint={say(words.fieldHint, { period: period(props.defaults[fieldOf(kind)]) })}
          error={props.error}
          field={`body.${fieldOf(kind)}`}
        >
          <input
            name={fieldOf(kind)}
            type="number"
            inputMode="numeric"
            min={1}
            max={36_500}
            defaultValue={props.wanted[fieldOf(kind)] ?? ''}
          />
        </Field>
      ))}
    </>
  );
}

function wantedOf(value: Values): Wanted {
  const days = (name: keyof Wanted): number | null => (value(name) === '' ? null : Number(value(name)));
  return {
    events_days: days('events_days'),
    conversations_days: days('conversations_days'),
    messages_days: days('messages_days'),
    deliveries_days: days('deliveries_days'),
    archives_days: days('archives_days'),
  };
}

/** What would go, of each kind. */
function WouldGo({ of }: { of: readonly Preview[] }): JSX.Element {
  const going = of.filter(({ items }) => items > 0);
  return (
    <>
      {going.length === 0 ? (
        <p>{words.nothingGoes}</p>
      ) : (
        <>
          <p>
            <strong>{words.previewText}</strong>
          </p>
          <DataTable caption={words.previewTitle} rows={going} idOf={({ what }) => what} columns={COLUMNS} />
        </>
      )}
      <p>{words.notice}</p>
    </>
  );
}

const COLUMNS: readonly Column<Preview>[] = [
  { key: 'what', name: words.what, isHeader: true, show: ({ what }) => words.kinds[what] },
  { key: 'days', name: words.kept, show: ({ days }) => period(days) },
  {
    key: 'items',
    name: words.items,
    isFigure: true,
    show: ({ items, is_complete }) => (is_complete ? number(items) : say(words.moreThan, { items })),
  },
  {
    key: 'bytes',
    name: words.size,
    isFigure: true,
    show: ({ bytes }) => (bytes === null ? '–' : size(bytes)),
  },
  { key: 'oldest', name: words.oldest, show: ({ oldest_at }) => <When at={oldest_at} /> },
  { key: 'newest', name: words.newest, show: ({ newest_at }) => <When at={newest_at} /> },
  { key: 'not_before', name: words.notBefore, show: ({ not_before }) => <When at={not_before} /> },
];
