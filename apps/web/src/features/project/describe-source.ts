import type { ProjectSource } from '@chirality/contracts';

/** Where a project's files came from, in a few words. */
export function describeSource(source: ProjectSource): string {
  switch (source.kind) {
    case 'git':
      return (
        source.url.replace(/^(?:https|ssh):\/\//, '').replace(/\.git$/, '') +
        (source.branch === undefined ? '' : ` (${source.branch})`)
      );
    case 'directory':
      return source.path;
    case 'upload':
      return 'Uploaded files';
    case 'empty':
      return source.sample ? 'Sample project' : 'Started empty';
  }
}
