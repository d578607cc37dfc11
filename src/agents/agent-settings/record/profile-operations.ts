import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiBody, type ApiBodyOptions, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { ApiErrors } from '../../../kernel/http';
import {
  ProfileExistsError,
  ProfileNotFoundError,
  ProfileOfAllOrganizationsError,
  TooManyProfilesError,
} from './profile-errors';
import { ProfileChanged, ProfileRename } from './profile.dto';

/** Documents the operations on profiles of one kind, which differ in what their descriptions say. */
export class ProfileOperations {
  private readonly notFound: MethodDecorator;

  /**
   * @param profiles names them, as in `your model profiles`
   * @param unknown says that there is no such profile
   * @param ofUsers whether they are users' profiles, which may apply to all organizations
   */
  constructor(
    private readonly profiles: string,
    unknown: string,
    private readonly ofUsers: boolean,
  ) {
    this.notFound = ApiErrors({ 404: unknown }, new ProfileNotFoundError());
  }

  list(type: Type, description: string): MethodDecorator {
    return applyDecorators(
      ApiOperation({ summary: `List ${this.profiles}`, description }),
      ApiOkResponse({ type, description: 'The profiles.' }),
    );
  }

  /** Reading one. */
  get(type: Type, description: string): MethodDecorator {
    return applyDecorators(
      ApiOperation({ summary: `Read one of ${this.profiles}`, description }),
      ApiOkResponse({ type, description: 'The profile.' }),
      this.notFound,
    );
  }

  save(body: ApiBodyOptions, description: string): MethodDecorator {
    return applyDecorators(
      this.change('Save', description, 'It is saved.'),
      ApiErrors({ 409: 'There are as many as there may be.' }, new TooManyProfilesError()),
      ApiBody(body),
    );
  }

  rename(description: string): MethodDecorator {
    return applyDecorators(
      this.change('Rename', description, 'It is renamed.'),
      this.changeErrors(),
      ApiErrors({ 409: 'There is another one of the new name.' }, new ProfileExistsError()),
      ApiBody({ type: ProfileRename, examples: { 'Another name': { value: { new_name: 'Thorough' } } } }),
    );
  }

  activate(description: string): MethodDecorator {
    return applyDecorators(this.change('Activate', description, 'It is active.'), this.changeErrors());
  }

  delete(description: string): MethodDecorator {
    return applyDecorators(this.change('Delete', description, 'It is deleted.'), this.changeErrors());
  }

  private change(verb: string, description: string, done: string): MethodDecorator {
    return applyDecorators(
      HttpCode(200),
      ApiOperation({ summary: `${verb} one of ${this.profiles}`, description }),
      ApiOkResponse({ type: ProfileChanged, description: done }),
    );
  }

  private changeErrors(): MethodDecorator {
    if (!this.ofUsers) return this.notFound;
    return applyDecorators(
      ApiErrors(
        { 403: 'It holds in all of your organizations, and the key is bound to one.' },
        new ProfileOfAllOrganizationsError(),
      ),
      this.notFound,
    );
  }
}
