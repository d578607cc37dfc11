import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Field } from '../../parts/field';
import { texts } from '../../text';

/** Asks for a key, which is never shown: one that is there stays, is replaced, or is taken away. */
export function KeyFields(props: { isSet: boolean; error: Error | undefined; field: string }): JSX.Element {
  const [goes, setGoes] = useState(false);
  return (
    <>
      <Field
        label={texts.models.key}
        hint={props.isSet ? texts.models.keyKept : texts.models.keyHint}
        error={props.error}
        field={props.field}
      >
        <input name="api_key" type="password" maxLength={4096} autocomplete="new-password" disabled={goes} />
      </Field>
      {props.isSet && (
        <label>
          <input
            type="checkbox"
            name="takes_key_away"
            checked={goes}
            onChange={({ currentTarget }) => setGoes(currentTarget.checked)}
          />
          {texts.models.takeKeyAway}
        </label>
      )}
    </>
  );
}
