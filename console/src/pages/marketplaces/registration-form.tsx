import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Field } from '../../parts/field';
import { type Values, valuesOf } from '../../parts/form';
import { Confirm } from '../../parts/modal';
import { texts } from '../../text';
import type { Registration } from './operations';
import { Preview } from './preview';

/** Asks for everything that can be said of a registration, and shows what it would load. */
export function RegistrationForm(props: {
  title: string;
  /** As it is; absent for a new one. */
  registration?: Registration;
  /** Where it will be among the registrations. */
  index: number;
  mayPreview: boolean;
  save: (registration: Registration) => Promise<unknown>;
  onClose: () => void;
}): JSX.Element {
  const { registration, index } = props;
  const [shown, setShown] = useState<Registration>();
  const fieldOf = (name: string): string => `body.registered_marketplaces.${index}.${name}`;
  return (
    <Confirm
      title={props.title}
      label={texts.marketplaces.save}
      action={(value) => props.save(registrationOf(value))}
      onClose={props.onClose}
    >
      {(error: Error | undefined) => (
        <>
          <Field
            label={texts.marketplaces.name}
            hint={texts.marketplaces.nameHint}
            error={error}
            field={fieldOf('name')}
          >
            <input
              name="name"
              required
              autofocus
              maxLength={100}
              autocomplete="off"
              defaultValue={registration?.name}
            />
          </Field>
          <Field
            label={texts.marketplaces.source}
            hint={texts.marketplaces.sourceHint}
            error={error}
            field={fieldOf('source')}
          >
            <input
              name="source"
              required
              maxLength={2048}
              autocomplete="off"
              defaultValue={registration?.source}
            />
          </Field>
          <Field
            label={texts.marketplaces.ref}
            hint={texts.marketplaces.refHint}
            error={error}
            field={fieldOf('ref')}
          >
            <input name="ref" autocomplete="off" defaultValue={registration?.ref ?? ''} />
          </Field>
          <Field
            label={texts.marketplaces.folder}
            hint={texts.marketplaces.folderHint}
            error={error}
            field={fieldOf('repo_path')}
          >
            <input name="repo_path" autocomplete="off" defaultValue={registration?.repo_path ?? ''} />
          </Field>
          <label>
            <input type="checkbox" name="auto_load" defaultChecked={registration?.auto_load === true} />
            {texts.marketplaces.autoLoadLabel}
          </label>
          {props.mayPreview && (
            <>
              <button
                type="button"
                class="secondary outline small"
                onClick={({ currentTarget: { form } }) => {
                  if (form?.reportValidity()) setShown(registrationOf(valuesOf(form)));
                }}
              >
                {texts.marketplaces.preview}
              </button>
              {shown !== undefined && <Preview registrations={[shown]} />}
            </>
          )}
        </>
      )}
    </Confirm>
  );
}

function registrationOf(value: Values): Registration {
  return {
    name: value('name'),
    source: value('source'),
    ref: value('ref') || null,
    repo_path: value('repo_path') || null,
    auto_load: value('auto_load') !== '',
  };
}
