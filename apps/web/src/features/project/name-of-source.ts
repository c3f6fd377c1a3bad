import type { ProjectSource } from '@chirality/contracts';

/** A name to begin with: the last part of the address or path. */
export function nameOfSource(source: ProjectSource): string {
  const place = source.kind === 'git' ? source.url : source.kind === 'directory' ? source.path : '';
  return (
    place
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split(/[/:]/)
      .at(-1)
      ?.replace(/\.git$/, '') ?? ''
  );
}
