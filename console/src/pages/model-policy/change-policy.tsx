import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Field } from '../../parts/field';
import { linesOf, type Values } from '../../parts/form';
import { Confirm } from '../../parts/modal';
import { say, texts } from '../../text';
import { type Policy, type PolicyUpdate, setPolicy } from './operations';
import { ROLES } from './roles';

const words = texts.modelPolicy;

/** The most that the service takes. */
const MOST_OUTPUT = 10_000_000;

/** Asks for all of the policy, and sets it. */
export function ChangePolicy(props: {
  policy: Policy;
  onChanged: () => void;
  onClose: () => void;
}): JSX.Element {
  const { policy, onChanged, onClose } = props;
  const organization = useOrganization();
  const { allowed_by_role: byRole, installation } = policy;
  const rest = installation.allowed_models?.join(', ') ?? words.everyModel;
  return (
    <Confirm
      title={words.changeTitle}
      label={words.set}
      action={async (value) => {
        await setPolicy(organization, updateOf(value));
        announce(words.isSet);
        onChanged();
      }}
      onClose={onClose}
    >
      {(error: Error | undefined) => (
        <>
          <Choice
            name="allowed_models"
            legend={words.ofOrganization}
            all={`${words.asInstallation} ${rest}`}
            patterns={policy.allowed_models}
            error={error}
          />
          <Field
            label={words.largestOutput}
            hint={words.largestOutputHint}
            error={error}
            field="body.max_output_tokens"
          >
            <input
              name="max_output_tokens"
              type="number"
              inputMode="numeric"
              min={1}
              max={MOST_OUTPUT}
              defaultValue={policy.max_output_tokens ?? ''}
            />
          </Field>
          <details open={ROLES.some((role) => (byRole[role] ?? null) !== null)}>
            <summary>{words.byRole}</summary>
            {ROLES.map((role) => (
              <Choice
                key={role}
                name={`allowed_by_role.${role}`}
                legend={words.ofRole[role]}
                all={words.allOfThem}
                patterns={byRole[role] ?? null}
                error={error}
              />
            ))}
          </details>
        </>
      )}
    </Confirm>
  );
}

/** All models, or only those of patterns. */
function Choice(props: {
  /** The field of the request. */
  name: string;
  legend: string;
  /** What all of them are. */
  all: string;
  /** Null for all. */
  patterns: readonly string[] | null;
  error: Error | undefined;
}): JSX.Element {
  const { name, patterns } = props;
  const [isAll, setAll] = useState(patterns === null);
  const [text, setText] = useState(patterns?.join('\n') ?? '');
  return (
    <fieldset>
      <legend>{props.legend}</legend>
      <label dir="auto">
        <input
          type="radio"
          name={`${name}.choice`}
          value="all"
          checked={isAll}
          onChange={() => setAll(true)}
        />
        {props.all}
      </label>
      <label>
        <input
          type="radio"
          name={`${name}.choice`}
          value="some"
          checked={!isAll}
          onChange={() => setAll(false)}
        />
        {words.onlyThese}
      </label>
      {!isAll && (
        <>
          <Field
            label={say(words.patterns, { of: props.legend })}
            hint={words.patternsHint}
            error={props.error}
            field={`body.${name}`}
          >
            <textarea
              name={name}
              rows={4}
              spellcheck={false}
              class="code"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </Field>
          <p role="status">{linesOf(text).length === 0 && <mark>{words.noModel}</mark>}</p>
        </>
      )}
    </fieldset>
  );
}

function updateOf(value: Values): PolicyUpdate {
  const patternsOf = (name: string): string[] | null =>
    value(`${name}.choice`) === 'all' ? null : linesOf(value(name));
  const most = value('max_output_tokens');
  return {
    allowed_models: patternsOf('allowed_models'),
    allowed_by_role: {
      member: patternsOf('allowed_by_role.member'),
      admin: patternsOf('allowed_by_role.admin'),
      owner: patternsOf('allowed_by_role.owner'),
    },
    max_output_tokens: most === '' ? null : Number(most),
  };
}
