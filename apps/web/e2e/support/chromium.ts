import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
];

/** Nothing that phones home, and nothing that a container without a GPU or namespaces cannot do. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the Chromium of this machine, or the one that CHIRALITY_CHROMIUM names. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHIRALITY_CHROMIUM ?? PLACES.find((place) => existsSync(place));
  if (executablePath === undefined)
    throw new Error('No Chromium was found. Install it, or set CHIRALITY_CHROMIUM to its path.');
  return chromium.launch({ executablePath, args: ARGUMENTS });
}
