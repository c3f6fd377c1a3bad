import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { startServices } from './app/services/services';
import { belowBase } from './lib/page/base-path';
import { followVisualViewport } from './lib/page/visual-viewport';
import './styles/main.css';

// The page that was asked for is fetched while it is found out who is signed in.
if (window.location.pathname.startsWith(belowBase('/sessions/')))
  void Promise.all([import('./app/frame/app-shell'), import('./app/routes/session')]);

startServices();
followVisualViewport();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
