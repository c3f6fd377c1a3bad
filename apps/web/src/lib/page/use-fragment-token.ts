import { useState } from 'react';

/** `#token=…` or `#…`: the fragment never reaches a server's log. */
function tokenOfFragment(fragment: string): string | null {
  const text = fragment.replace(/^#/, '');
  const token = text.includes('=') ? new URLSearchParams(text).get('token') : text;
  return token === null || token === '' ? null : token;
}

/** The token of a link, read once when the page opens. */
export function useFragmentToken(): string | null {
  const [token] = useState(() => tokenOfFragment(window.location.hash));
  return token;
}
