import type { JSX } from 'preact';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { Field } from '../../parts/field';
import { KeyForm } from '../../parts/key-form';
import { texts } from '../../text';

/**
 * Makes a key of the person.
 * @param props.mayReachAll whether the key of the session reaches all organizations, so that a new one may, too
 */
export function MakeKey(props: {
  mayReachAll: boolean;
  onMade: () => void;
  onClose: () => void;
}): JSX.Element {
  const { id, header, me } = useOrganization();
  return (
    <KeyForm
      permissions={me.permissions}
      scopesHint={texts.keys.scopesHint}
      make={async (key, value) => {
        const body = { ...key, org_id: value('reach') === 'all' ? null : id };
        const made = await bodyOf(api.POST('/api/keys', { params: { header }, body }));
        props.onMade();
        return made.key;
      }}
      onClose={props.onClose}
    >
      {(error) =>
        props.mayReachAll && (
          <Field label={texts.keys.reach} error={error} field="body.org_id">
            <select name="reach">
              <option value="here">{texts.keys.reachHere}</option>
              <option value="all">{texts.keys.reachAll}</option>
            </select>
          </Field>
        )
      }
    </KeyForm>
  );
}
