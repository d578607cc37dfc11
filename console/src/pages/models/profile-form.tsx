import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error';
import { useOrganization } from '../../app/organization';
import { Field } from '../../parts/field';
import { useLoad } from '../../parts/load';
import { DialogForm, Modal } from '../../parts/modal';
import { Failure, Shown } from '../../parts/states';
import { Suggested } from '../../parts/suggested';
import type { Values } from '../../parts/form';
import { texts } from '../../text';
import { KeyFields } from './key-fields';
import { connectionsOf, modelsLike, type ProfileDetail, type ProfileOperations } from './operations';
import { modelOf, OTHERS, othersAsText, problemOfOthers } from './profile-fields';

interface Props {
  title: string;
  operations: ProfileOperations;
  /** Those that there are: saving one of these changes it. */
  names: readonly string[];
  /** Which one is changed; absent for a new one. */
  name?: string;
  onSaved: (name: string) => void;
  onClose: () => void;
}

/** A dialog for a new model profile, or for changing one. */
export function ProfileForm(props: Props): JSX.Element {
  const { name, operations, onClose } = props;
  const detail = useLoad(
    (signal) => (name === undefined ? Promise.resolve(null) : operations.read(name, signal)),
    [name],
  );
  return (
    <Modal title={props.title} onClose={onClose}>
      <Shown of={detail}>{(before) => <Fields {...props} before={before?.llm} />}</Shown>
    </Modal>
  );
}

function Fields(props: Props & { before: ProfileDetail['llm'] | undefined }): JSX.Element {
  const { operations, names, before, onSaved, onClose } = props;
  const organization = useOrganization();
  const connections = useLoad((signal) => connectionsOf(organization, signal), [organization.id]);
  const [connection, setConnection] = useState(before?.provider_connection_id ?? '');
  const save = async (value: Values): Promise<void> => {
    const name = props.name ?? value('name');
    if (props.name === undefined && names.includes(name))
      throw ApiError.ofField('path.name', texts.models.nameTaken);
    await operations.save(name, modelOf(value, before));
    onSaved(name);
  };
  return (
    <DialogForm label={texts.models.save} action={save} onDone={onClose} onCancel={onClose}>
      {(error: Error | undefined) => (
        <>
          {props.name === undefined && (
            <Field label={texts.models.name} error={error} field="path.name">
              <input name="name" required autofocus maxLength={100} autocomplete="off" dir="auto" />
            </Field>
          )}
          <Field
            label={texts.models.model}
            hint={texts.models.modelHint}
            error={error}
            field="body.llm.model"
          >
            <Suggested
              name="model"
              required
              maxLength={255}
              defaultValue={before?.model ?? ''}
              search={(typed, signal) => modelsLike(organization, typed, signal)}
            />
          </Field>
          <Field
            label={texts.models.baseUrl}
            hint={texts.models.baseUrlHint}
            error={error}
            field="body.llm.base_url"
          >
            <input name="base_url" type="url" maxLength={2048} defaultValue={before?.base_url ?? ''} />
          </Field>
          <KeyFields isSet={before?.api_key_set === true} error={error} field="body.llm.api_key" />
          <Field
            label={texts.models.connection}
            hint={texts.models.connectionHint}
            error={error}
            field="body.llm.provider_connection_id"
          >
            <select
              name="provider_connection_id"
              value={connection}
              onChange={({ currentTarget }) => setConnection(currentTarget.value)}
            >
              <option value="">{texts.models.noConnection}</option>
              {optionsOf(before?.provider_connection_id, connections.data).map(([id, provider]) => (
                <option key={id} value={id}>
                  {provider}
                </option>
              ))}
            </select>
          </Field>
          {connections.error !== undefined && (
            <Failure error={connections.error} retry={connections.reload} />
          )}
          <Tuning before={before} error={error} />
        </>
      )}
    </DialogForm>
  );
}

/** What is told to a model, and everything else. */
function Tuning({
  before,
  error,
}: {
  before: ProfileDetail['llm'] | undefined;
  error: Error | undefined;
}): JSX.Element {
  const problem = problemOfOthers(error);
  return (
    <>
      <Field label={texts.models.temperature} error={error} field="body.llm.temperature">
        <input
          name="temperature"
          type="number"
          min={0}
          step="any"
          inputMode="decimal"
          defaultValue={before?.temperature ?? ''}
        />
      </Field>
      <Field label={texts.models.maxOutputTokens} error={error} field="body.llm.max_output_tokens">
        <input
          name="max_output_tokens"
          type="number"
          min={1}
          inputMode="numeric"
          defaultValue={before?.max_output_tokens ?? ''}
        />
      </Field>
      <Field
        label={texts.models.reasoningEffort}
        hint={texts.models.reasoningEffortHint}
        error={error}
        field="body.llm.reasoning_effort"
      >
        <input name="reasoning_effort" maxLength={255} defaultValue={before?.reasoning_effort ?? ''} />
      </Field>
      <Field label={texts.models.others} hint={texts.models.othersHint} problem={problem}>
        <textarea
          name={OTHERS}
          rows={5}
          spellcheck={false}
          class="code"
          defaultValue={othersAsText(before)}
        />
      </Field>
    </>
  );
}

/** The connections to choose from, and the chosen one, whatever became of it. */
function optionsOf(
  chosen: string | null | undefined,
  connections: readonly { readonly id: string; readonly provider: string }[] = [],
): readonly (readonly [id: string, provider: string])[] {
  const known = connections.map(({ id, provider }) => [id, provider] as const);
  const isKnown = !chosen || known.some(([id]) => id === chosen);
  return isKnown ? known : [...known, [chosen, chosen]];
}
