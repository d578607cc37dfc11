import { Module } from '@nestjs/common';
import { PersonalData } from './personal-data';

/** Where modules say what they keep of people; each that does so imports it. */
@Module({ providers: [PersonalData], exports: [PersonalData] })
export class PersonalDataModule {}
