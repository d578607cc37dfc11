import '@picocss/pico/css/pico.min.css';
import './styles/layout.css';
import './styles/tables.css';
import './styles/forms.css';
import './styles/charts.css';
import './styles/records.css';
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
