import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiBody, type ApiBodyOptions, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { ApiErrors } from '../../../kernel/http';
import {
  ProfileExistsError,
  ProfileNotFoundError,
  ProfileOfAllOrganizationsError,
  TooManyProfilesError,
} from './profile-errors';
import { MAX_PROFILES } from './profile-fields';
import { ProfileChanged, ProfileRename } from './profile.dto';

interface Described {
  readonly summary: string;
  readonly description: string;
}

/** Documents the operations on one kind of profiles, which differ from kind to kind in their descriptions only. */
export class ProfileOperations {
  private readonly notFound: Readonly<Record<number, string>>;

  /**
   * @param unknown says that there is no such profile
   * @param ofUsers whether they are users' profiles, which may apply to all organizations
   */
  constructor(
    unknown: string,
    private readonly ofUsers: boolean,
  ) {
    this.notFound = { 404: unknown };
  }

  /** Reading one. */
  get(operation: Described, type: Type): MethodDecorator {
    return applyDecorators(
      ApiOperation(operation),
      ApiOkResponse({ type, description: 'The profile.' }),
      ApiErrors(this.notFound, new ProfileNotFoundError()),
    );
  }

  save(operation: Described, body: ApiBodyOptions): MethodDecorator {
    return applyDecorators(
      changes(operation, 'It is saved.'),
      ApiErrors({ 409: 'There are as many as there may be.' }, new TooManyProfilesError(MAX_PROFILES)),
      ApiBody(body),
    );
  }

  rename(operation: Described): MethodDecorator {
    return applyDecorators(
      changes(operation, 'It is renamed.'),
      this.changeErrors(),
      ApiErrors({ 409: 'There is another one of the new name.' }, new ProfileExistsError()),
      ApiBody({ type: ProfileRename, examples: { 'Another name': { value: { new_name: 'Thorough' } } } }),
    );
  }

  activate(operation: Described): MethodDecorator {
    return applyDecorators(changes(operation, 'It is active.'), this.changeErrors());
  }

  delete(operation: Described): MethodDecorator {
    return applyDecorators(changes(operation, 'It is deleted.'), this.changeErrors());
  }

  private changeErrors(): MethodDecorator {
    const notFound = ApiErrors(this.notFound, new ProfileNotFoundError());
    if (!this.ofUsers) return notFound;
    return applyDecorators(
      ApiErrors(
        { 403: 'It holds in all of your organizations, and the key is bound to one.' },
        new ProfileOfAllOrganizationsError(),
      ),
      notFound,
    );
  }
}

function changes(operation: Described, description: string): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ApiOperation(operation),
    ApiOkResponse({ type: ProfileChanged, description }),
  );
}
