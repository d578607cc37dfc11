import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Organization } from '../../app/organization';
import { Field } from '../../parts/field';
import type { Values } from '../../parts/form';
import { MemberInput, memberOf } from '../../parts/member-input';
import { texts } from '../../text';
import { type BudgetCreate, hasSubject, type Scope } from './operations';

const words = texts.budgets;

const SCOPES = [
  'organization',
  'each_user',
  'user',
  'repository',
  'tag',
  'conversation',
] as const satisfies Scope[];
const PERIODS = ['day', 'month', 'total'] as const satisfies BudgetCreate['period'][];
const MAX_SUBJECT = 500;
const SUBJECT = 'body.subject';

/** What a new budget is about, and how long it lasts until it begins anew. */
export function About({ error }: { error: Error | undefined }): JSX.Element {
  const [scope, setScope] = useState<Scope>('organization');
  const [period, setPeriod] = useState<BudgetCreate['period']>('month');
  return (
    <>
      <Field label={words.what} error={error} field="body.scope">
        <select
          name="scope"
          value={scope}
          onChange={({ currentTarget }) =>
            setScope(SCOPES.find((known) => known === currentTarget.value) ?? 'organization')
          }
        >
          {SCOPES.map((known) => (
            <option key={known} value={known}>
              {words.scopes[known]}
            </option>
          ))}
        </select>
      </Field>
      {hasSubject(scope) && (
        <Field
          key={scope}
          label={words.subjects[scope].label}
          hint={words.subjects[scope].hint}
          error={error}
          field={SUBJECT}
        >
          {scope === 'user' ? (
            <MemberInput name="subject" required defaultValue="" />
          ) : (
            <input name="subject" required maxLength={MAX_SUBJECT} autocomplete="off" dir="auto" />
          )}
        </Field>
      )}
      <Field label={words.period} hint={words.periodHint} error={error} field="body.period">
        <select
          name="period"
          value={period}
          onChange={({ currentTarget }) =>
            setPeriod(PERIODS.find((known) => known === currentTarget.value) ?? 'month')
          }
        >
          {PERIODS.map((known) => (
            <option key={known} value={known}>
              {words.periods[known]}
            </option>
          ))}
        </select>
      </Field>
    </>
  );
}

/** What the form says of it. @throws ApiError where the address of a user means nobody */
export async function aboutOf(
  organization: Organization,
  value: Values,
): Promise<Pick<BudgetCreate, 'scope' | 'subject' | 'period'>> {
  const scope = SCOPES.find((known) => known === value('scope')) ?? 'organization';
  const typed = value('subject');
  const subject = scope === 'user' ? await memberOf(organization, typed, SUBJECT) : typed;
  return {
    scope,
    subject: hasSubject(scope) ? subject : null,
    period: PERIODS.find((known) => known === value('period')) ?? 'month',
  };
}
