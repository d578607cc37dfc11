import { AppError, appError } from '../../../kernel/common';

/** 400: two registrations of one list have the same name (docs/contract.md#app-settings). */
export class DuplicateMarketplacesError extends AppError {
  constructor(names: readonly string[]) {
    super(400, 'marketplace_names_duplicate', `These names are registered twice: ${names.join(', ')}.`);
  }
}

/** 409: another caller saved the settings meanwhile (docs/contract.md#app-settings). */
export const SettingsChangedError = appError(
  409,
  'settings_changed',
  'The settings were changed since you read them; read them again.',
);
