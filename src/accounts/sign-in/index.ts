export { type FormField, OwnForms } from './pages/sign-in.controller';
export { signOutForm } from './pages/sign-in-pages';
export { signInAddress } from './session/sign-in-paths';
export { SignIn } from './session/sign-in.service';
export { SignInModule } from './sign-in.module';
export { Visitors } from './session/visitors';
