import { checkAnything, commaListCheck, dictionaryCheck, listCheck } from './containers';
import { INVALID, MAX_ISSUES, type Check } from '../errors/cursor';
import { forbidsExtraKeys } from '../declaration/declaration';
import { declaredFields, type DeclaredField } from '../declaration/declared-fields';
import { checkEmail } from '../email/check-email';
import type { Model, TypeShape, ValueRule } from '../declaration/field-types';
import { isJsonObject, keysOf } from '../json/exact-values';
import { checkBoolean } from '../scalars/boolean';
import { checkDateTime } from '../scalars/date-time';
import { integerCheck, numberCheck } from '../scalars/numbers';
import { choiceCheck, ruleIssue, stringCheck } from '../scalars/string';
import { checkUuid } from '../scalars/uuid';
import type { ValidationIssue } from '../errors/validation.errors';

/** The check of a declared type. */
export function checkOf(type: TypeShape): Check {
  switch (type.kind) {
    case 'string':
      return stringCheck(type);
    case 'boolean':
      return checkBoolean;
    case 'integer':
      return integerCheck(type.bounds);
    case 'number':
      return numberCheck(type.bounds);
    case 'uuid':
      return checkUuid;
    case 'dateTime':
      return checkDateTime;
    case 'email':
      return checkEmail;
    case 'oneOf':
      return choiceCheck('enum', type.values);
    case 'literal':
      return choiceCheck('literal_error', type.values);
    case 'list':
      return listCheck(checkOf(type.item), type.min, type.max);
    case 'commaList':
      return commaListCheck(checkOf(type.item));
    case 'dictionary':
      return dictionaryCheck(type.value.kind === 'anything' ? undefined : checkOf(type.value), type.max);
    case 'model':
      return lazily(() => modelCheck(type.model()));
    case 'union':
      return lazily(() => unionCheck(type.models.map((of) => of())));
    case 'ruled':
      return ruledCheck(checkOf(type.type), type.rules);
    case 'anything':
      return checkAnything;
  }
}

/** A field of a class, and the check of its value. */
export interface CheckedField {
  readonly name: string;
  readonly required: boolean;
  readonly check: Check;
  readonly declared: DeclaredField;
}

/** The fields of a class with their checks, null included where it is a value. */
export function checkedFields(model: Model): readonly CheckedField[] {
  return declaredFields(model).map((declared) => {
    const { name, nullable, required } = declared;
    const check = checkOf(declared.type);
    return { name, required, declared, check: nullable ? nullOr(check) : check };
  });
}

const modelChecks = new WeakMap<Model, Check>();

/** The check of an object of a class; the value is an instance of it, defaults included. */
export function modelCheck(model: Model): Check {
  let check = modelChecks.get(model);
  if (!check) {
    check = newModelCheck(model);
    modelChecks.set(model, check);
  }
  return check;
}

function newModelCheck(model: Model): Check {
  const fields = checkedFields(model);
  const known: ReadonlySet<string> | null = forbidsExtraKeys(model)
    ? new Set(fields.map(({ name }) => name))
    : null;
  return (value, at) => {
    if (!isJsonObject(value)) {
      const msg = 'Input should be a valid dictionary or object to extract fields from';
      return at.reject('model_attributes_type', msg, value);
    }
    const instance = instanceOf(model);
    let valid = true;
    for (const { name, required, check, declared } of fields) {
      // Not `value[name]`: a field may be named like a property of Object.prototype.
      const own = Object.hasOwn(value, name) ? value[name] : undefined;
      const given = ifPresent(own, declared);
      if (given === undefined && !required && !isRequiredBeside(value, declared)) continue;
      const result = given === undefined ? at.into(name, missing, value) : at.into(name, check, given);
      if (result !== INVALID) instance[name] = result;
      else if (at.isDone) return INVALID;
      else valid = false;
    }
    if (known) {
      for (const key of keysOf(value)) {
        if (known.has(key)) continue;
        at.into(key, forbidden, value[key]);
        if (at.isDone) return INVALID;
        valid = false;
      }
    }
    return valid ? instance : INVALID;
  };
}

/** Whether a field has to be there because another one is not. */
function isRequiredBeside(value: object, { requiredWithout: other }: DeclaredField): boolean {
  return other !== undefined && !Object.hasOwn(value, other);
}

function ifPresent(value: unknown, { emptyIsAbsent }: DeclaredField): unknown {
  return value === '' && emptyIsAbsent ? undefined : value;
}

/** The error of a field that is absent; `parent` is the object it should be in. */
export const missing: Check = (parent, at) => at.reject('missing', 'Field required', parent);

const forbidden: Check = (value, at) => at.reject('extra_forbidden', 'Extra inputs are not permitted', value);

/** A new instance of a class, as an object to be filled. */
export function instanceOf(model: Model): Record<string, unknown> {
  const instance: unknown = new model();
  if (!isJsonObject(instance)) throw new Error(`${model.name} does not make objects.`);
  return instance;
}

/** The first class that accepts wins; when none does, the errors of all are reported, each under its name. */
function unionCheck(models: readonly Model[]): Check {
  const branches = models.map((model) => ({ name: model.name, check: modelCheck(model) }));
  return (value, at) => {
    const before = at.issues;
    const found: ValidationIssue[] = [];
    for (const { name, check } of branches) {
      if (!at.quiet) at.issues = [];
      const result = at.into(name, check, value);
      if (!at.quiet) found.push(...at.issues);
      at.issues = before;
      if (result !== INVALID) return result;
    }
    before.push(...found.slice(0, MAX_ISSUES - before.length));
    return INVALID;
  };
}

function nullOr(check: Check): Check {
  return (value, at) => (value === null ? null : check(value, at));
}

function ruledCheck(check: Check, rules: readonly ValueRule[]): Check {
  return (value, at) => {
    const result = check(value, at);
    if (result === INVALID) return INVALID;
    for (const rule of rules) {
      const complaint = rule.errorFor(result);
      if (complaint !== null) return ruleIssue(complaint, value, at);
    }
    return result;
  };
}

/** Classes are compiled when they are first met: they may refer to themselves or to one declared later. */
function lazily(compile: () => Check): Check {
  let check: Check | undefined;
  return (value, at) => {
    check ??= compile();
    return check(value, at);
  };
}
