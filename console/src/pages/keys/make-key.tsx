import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { Field } from '../../parts/field';
import { linesOf } from '../../parts/form';
import { DialogForm, Modal } from '../../parts/modal';
import { chosenPermissions, PermissionChoice } from '../../parts/permissions';
import { Secret } from '../../parts/show';
import { count, texts } from '../../text';

const DAY_MS = 86_400_000;

/** How many days a key may be made for by one choice. */
const DAYS = [30, 90, 365];

/**
 * Makes a key, and shows it once.
 * @param props.mayReachAll whether the key of the session reaches all organizations, so that a new one may, too
 */
export function MakeKey(props: {
  mayReachAll: boolean;
  onMade: () => void;
  onClose: () => void;
}): JSX.Element {
  const { id, header } = useOrganization();
  const [made, setMade] = useState<string | null>();
  return (
    <Modal title={made === undefined ? texts.keys.make : texts.keys.madeTitle} onClose={props.onClose}>
      {made === undefined ? (
        <DialogForm
          label={texts.keys.make}
          action={async (value, form) => {
            const [scopes, address_ranges] = [chosenPermissions(form), linesOf(value('addresses'))];
            const body = {
              name: value('name'),
              expires_at: expiryOf(value),
              org_id: value('reach') === 'all' ? null : id,
              ...(scopes.length > 0 && { scopes }),
              ...(address_ranges.length > 0 && { address_ranges }),
            };
            const { key } = await bodyOf(api.POST('/api/keys', { params: { header }, body }));
            setMade(key);
            props.onMade();
          }}
          onCancel={props.onClose}
        >
          {(error: Error | undefined) => (
            <>
              <Field label={texts.keys.nameLabel} error={error} field="body.name">
                <input name="name" required autofocus maxLength={255} autocomplete="off" dir="auto" />
              </Field>
              <Lifetime error={error} />
              {props.mayReachAll && (
                <Field label={texts.keys.reach} error={error} field="body.org_id">
                  <select name="reach">
                    <option value="here">{texts.keys.reachHere}</option>
                    <option value="all">{texts.keys.reachAll}</option>
                  </select>
                </Field>
              )}
              <Limits error={error} />
            </>
          )}
        </DialogForm>
      ) : (
        <Secret name={texts.keys.madeTitle} value={made ?? ''} />
      )}
    </Modal>
  );
}

/** What makes it a key that can do less. */
function Limits({ error }: { error: Error | undefined }): JSX.Element {
  const { me } = useOrganization();
  return (
    <details>
      <summary>{texts.keys.limits}</summary>
      <PermissionChoice legend={texts.keys.scopes} from={me.permissions} />
      <p>{texts.keys.scopesHint}</p>
      <Field
        label={texts.keys.addresses}
        hint={texts.keys.addressesHint}
        error={error}
        field="body.address_ranges"
      >
        <textarea name="addresses" rows={3} autocomplete="off" />
      </Field>
    </details>
  );
}

/** Until when the key works, as the form says it: to the end of a day of the reader's; null for ever. */
function expiryOf(value: (name: string) => string): string | null {
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
