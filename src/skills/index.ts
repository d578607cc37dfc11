export {
  MarketplaceRegistration,
  REGISTRATION_SCOPES,
  type RegistrationScope,
} from './marketplace-registration.dto';
