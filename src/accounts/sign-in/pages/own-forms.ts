import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isOwnPage } from '../../../kernel/auth';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { readForm, sendPage } from '../../../kernel/http';
import { foreignFormPage } from './sign-in-pages';

/** A field of a form by its name; empty where there is none. */
export type FormField = (name: string) => string;

/** Reads what the service's own pages send: no other site signs somebody in or out, or changes what is theirs. */
@Injectable()
export class OwnForms {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * Reads a form, or responds that it came from elsewhere.
   * @returns null for what was refused
   * @throws NotAFormError, BodyTooLargeError, BodyIncompleteError
   */
  async read(request: Request, response: Response): Promise<FormField | null> {
    if (isOwnPage(request, this.settings)) return readForm(request);
    sendPage(request, response, { status: 403, html: foreignFormPage() });
    return null;
  }
}
