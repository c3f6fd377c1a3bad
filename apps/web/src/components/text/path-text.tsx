import { Fragment } from 'react';
import { UntrustedText } from './untrusted-text';

/**
 * A path that is read from the left, folder by folder: without that, two names written from right to left would change
 * places.
 */
export function PathText({ path }: { path: string }) {
  return path.split('/').map((name, at) => (
    <Fragment key={at}>
      {at > 0 && '/'}
      <UntrustedText text={name} />
    </Fragment>
  ));
}
