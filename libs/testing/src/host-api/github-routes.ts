import { notFound, type DoublePull, type HostApiRoutes, type HostApiState } from './host-api.types';

const CONCLUSIONS = { passed: 'success', failed: 'failure', running: null };

function pullOf(pull: DoublePull, state: HostApiState) {
  return {
    number: pull.number,
    html_url: state.url(pull),
    title: pull.title,
    body: pull.body,
    state: pull.state === 'open' ? 'open' : 'closed',
    draft: pull.draft,
    merged_at: pull.state === 'merged' ? '2026-01-02T03:04:05Z' : null,
    head: { ref: pull.head, sha: state.sha },
    base: { ref: pull.base },
  };
}

export const gitHubRoutes: HostApiRoutes = {
  root: '/api/v3',
  probe: {
    path: '/api/v3/meta',
    answer: { status: 200, body: { installed_version: '3.19.0' }, headers: { 'x-github-request-id': '1' } },
  },
  tokenOf: ({ authorization }) => /^(?:token|bearer) (.+)$/i.exec(String(authorization ?? ''))?.[1] ?? null,
  answer: ({ method, path, query, body }, state) => {
    const repository = `/repos/${state.repository}`;
    if (!path.startsWith(repository)) return notFound;
    const rest = path.slice(repository.length);
    const [, noun, key, part] = rest.split('/');
    const route = `${method} ${[noun, key === undefined ? '' : '*', part ?? ''].filter((word) => word).join('/')}`;
    const pull = noun === 'pulls' || noun === 'issues' ? state.find(key ?? '') : undefined;
    if (route === 'GET ') return { status: 200, body: { default_branch: state.defaultBranch } };
    if (route === 'GET collaborators') return { status: 200, body: state.people.map((login) => ({ login })) };
    if (route === 'GET pulls') {
      const head = query.get('head')?.split(':')[1];
      const open = state.pulls.filter((one) => one.state === 'open' && (head === undefined || one.head === head));
      return { status: 200, body: open.map((one) => pullOf(one, state)) };
    }
    if (route === 'POST pulls') {
      const { title, body: words = '', head, base, draft = false } = body as DoublePull;
      const opened = state.create({ title, body: words, head, base, draft });
      if (opened) return { status: 201, body: pullOf(opened, state) };
      const message = `A pull request already exists for ada:${head}.`;
      return { status: 422, body: { message: 'Validation Failed', errors: [{ resource: 'PullRequest', message }] } };
    }
    if (noun === 'commits' && rest.endsWith('/check-runs'))
      return {
        status: 200,
        body: {
          total_count: state.checks.length,
          check_runs: state.checks.map(({ id, name, status }) => ({
            id,
            name,
            status: status === 'running' ? 'in_progress' : 'completed',
            conclusion: CONCLUSIONS[status],
            html_url: `${state.origin}/${state.repository}/actions/runs/1/job/${id}`,
            app: { slug: 'github-actions' },
          })),
        },
      };
    if (noun === 'commits' && rest.endsWith('/status')) return { status: 200, body: { statuses: [] } };
    const job = /^\/actions\/jobs\/(\d+)\/logs$/.exec(rest)?.[1];
    if (job !== undefined) return { status: 200, text: state.checks.find(({ id }) => id === Number(job))?.log ?? '' };
    if (!pull) return notFound;
    const comments = (isOnLine: boolean) =>
      state.comments.filter(({ path: file }) => (file !== undefined) === isOnLine);
    switch (route) {
      case 'GET pulls/*':
        return { status: 200, body: { ...pullOf(pull, state), merged: pull.state === 'merged' } };
      case 'POST pulls/*/requested_reviewers': {
        const { reviewers } = body as { reviewers: string[] };
        if (reviewers.some((name) => !state.people.includes(name)))
          return { status: 422, body: { message: 'Reviews may only be requested from collaborators.' } };
        pull.reviewers.push(...reviewers);
        return { status: 201, body: pullOf(pull, state) };
      }
      case 'GET pulls/*/reviews':
        return { status: 200, body: [] };
      case 'GET pulls/*/comments':
        return {
          status: 200,
          body: comments(true).map(({ id, author, path: file, line, body: text }) => ({
            id,
            user: { login: author },
            path: file,
            line,
            body: text,
          })),
        };
      case 'GET issues/*/comments':
        return {
          status: 200,
          body: comments(false).map(({ id, author, body: text }) => ({ id, user: { login: author }, body: text })),
        };
      default:
        return notFound;
    }
  },
};
