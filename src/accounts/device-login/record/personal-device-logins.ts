import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { OwnedPart, PersonalData } from '../../personal-data';
import { DeviceLogin } from './device-login.entity';

/** What a person approved for devices. */
@Injectable()
export class PersonalDeviceLogins {
  constructor(@InjectRepository(DeviceLogin) logins: Repository<DeviceLogin>, personal: PersonalData) {
    personal.register(
      new OwnedPart(
        'device_logins',
        logins,
        ({ clientName, address, userAgent, createdAt, decidedAt, orgId }) => ({
          org_id: orgId,
          client_name: clientName,
          address,
          user_agent: userAgent,
          created_at: createdAt,
          decided_at: decidedAt,
        }),
      ),
    );
  }
}
