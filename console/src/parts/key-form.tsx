import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../api/client';
import type { Permission } from '../app/organization';
import { count, texts } from '../text';
import { Field } from './field';
import { linesOf, type Values } from './form';
import { DialogForm, Modal } from './modal';
import { chosenPermissions, PermissionChoice } from './permissions';
import { Secret } from './show';

const DAY_MS = 86_400_000;

/** How many days a key may be made for by one choice. */
const DAYS = [30, 90, 365];

/** A form for a new key, which is shown once when it is made. */
export function KeyForm(props: {
  /** What its scopes are chosen from. */
  permissions: readonly Permission[];
  /** What a key without scopes may. */
  scopesHint: string;
  /** Resolves to the text of the key. @param value of the fields of `children` */
  make: (body: Schemas['KeyCreate'], value: Values) => Promise<string | null>;
  onClose: () => void;
  /** Fields beside those of every key. */
  children?: (error: Error | undefined) => ComponentChildren;
}): JSX.Element {
  const { permissions, scopesHint, make, onClose, children } = props;
  const [made, setMade] = useState<string | null>();
  return (
    <Modal title={made === undefined ? texts.keys.make : texts.keys.madeTitle} onClose={onClose}>
      {made === undefined ? (
        <DialogForm
          label={texts.keys.make}
          action={async (value, form) => setMade(await make(keyOf(value, form), value))}
          onCancel={onClose}
        >
          {(error: Error | undefined) => (
            <>
              <Field label={texts.keys.nameLabel} error={error} field="body.name">
                <input name="name" required autofocus maxLength={255} autocomplete="off" dir="auto" />
              </Field>
              <Lifetime error={error} />
              {children?.(error)}
              <Limits {...{ permissions, scopesHint, error }} />
            </>
          )}
        </DialogForm>
      ) : (
        <Secret name={texts.keys.madeTitle} value={made ?? ''} />
      )}
    </Modal>
  );
}

/** The key that the form asks for. */
function keyOf(value: Values, form: FormData): Schemas['KeyCreate'] {
  const [scopes, address_ranges] = [chosenPermissions(form), linesOf(value('addresses'))];
  return {
    name: value('name'),
    expires_at: expiryOf(value),
    ...(scopes.length > 0 && { scopes }),
    ...(address_ranges.length > 0 && { address_ranges }),
  };
}

/** What makes it a key that can do less. */
function Limits(props: {
  permissions: readonly Permission[];
  scopesHint: string;
  error: Error | undefined;
}): JSX.Element {
  return (
    <details>
      <summary>{texts.keys.limits}</summary>
      <PermissionChoice legend={texts.keys.scopes} from={props.permissions} />
      <p>{props.scopesHint}</p>
      <Field
        label={texts.keys.addresses}
        hint={texts.keys.addressesHint}
        error={props.error}
        field="body.address_ranges"
      >
        <textarea name="addresses" rows={3} autocomplete="off" />
      </Field>
    </details>
  );
}

/** Until when the key works, as the form says it: to the end of a day of the reader's; null for ever. */
function expiryOf(value: Values): string | null {
  const lasts = value('lasts');
  if (lasts === 'ever') return null;
  return lasts === 'until'
    ? new Date(`${value('day')}T23:59:59`).toISOString()
    : new Date(Date.now() + Number(lasts) * DAY_MS).toISOString();
}

function Lifetime({ error }: { error: Error | undefined }): JSX.Element {
  const [choosesDay, setChoosesDay] = useState(false);
  return (
    <>
      <Field label={texts.keys.lasts} error={error} field="body.expires_at">
        <select name="lasts" onChange={({ currentTarget }) => setChoosesDay(currentTarget.value === 'until')}>
          {DAYS.map((days) => (
            <option key={days} value={days}>
              {count(days, texts.keys.days)}
            </option>
          ))}
          <option value="until">{texts.keys.lastsUntil}</option>
          <option value="ever">{texts.keys.lastsForever}</option>
        </select>
      </Field>
      {choosesDay && (
        <Field label={texts.keys.lastDay}>
          <input name="day" type="date" required />
        </Field>
      )}
    </>
  );
}
