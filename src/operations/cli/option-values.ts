import { AddressRangeInvalidError, AddressRanges, parseRole, type Role } from '../../kernel/auth';
import { AppError, parseUuid, storableText } from '../../kernel/common';
import { CommandError } from './command-error';

const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/** The UUID in an option. @throws CommandError */
export function uuidOf(option: string, text: string): string {
  const id = parseUuid(text.trim());
  if (id === null) throw new CommandError(`--${option} must be a UUID.`);
  return id;
}

/** The mail address in an option. @throws CommandError */
export function addressOf(text: string): string {
  const address = storableText(text.trim()).toLowerCase();
  if (!ADDRESS.test(address)) throw new CommandError(`${text} is not an e-mail address.`);
  return address;
}

/** Has what the service refuses said on the command line. */
export async function asCommand<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof AppError ? new CommandError(error.message, { cause: error }) : error;
  }
}

/** The role in `--role`. @throws CommandError */
export function roleOf(text: string): Role {
  const role = parseRole(text.trim());
  if (role === null) throw new CommandError('--role must be member, admin or owner.');
  return role;
}

/** The ranges of addresses in `--addresses`. @throws CommandError */
export function rangesOf(text: string): string[] {
  const texts = namesIn(text);
  if (texts.length === 0) throw new CommandError('--addresses must be at least one.');
  try {
    return new AddressRanges(texts).texts;
  } catch (error) {
    if (error instanceof AddressRangeInvalidError)
      throw new CommandError(`--addresses: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Names between commas. */
export function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The time in an option. @throws CommandError */
export function timeOf(option: string, text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new CommandError(`--${option} must be a time, for example 2030-01-01T00:00:00Z.`);
  return time;
}

/** The time in `--expires-at`. @throws CommandError */
export function futureOf(text: string): Date {
  const time = timeOf('expires-at', text);
  if (time.getTime() <= Date.now()) throw new CommandError('--expires-at must be in the future.');
  return time;
}
