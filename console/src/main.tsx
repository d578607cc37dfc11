import '@picocss/pico/css/pico.min.css';
import './style.css';
import { render } from 'preact';
import { LocationProvider } from 'preact-iso/router';
import { CONSOLE } from './api/client';
import { App } from './app/app';

const root = document.getElementById('console');
if (root !== null)
  render(
    <LocationProvider scope={`${CONSOLE}/`}>
      <App />
    </LocationProvider>,
    root,
  );
