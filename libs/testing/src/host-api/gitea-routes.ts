import { notFound, type DoublePull, type HostApiAnswer, type HostApiRoutes, type HostApiState } from './host-api.types';

const STATES = { passed: 'success', failed: 'failure', running: 'pending' };

function pullOf(pull: DoublePull, state: HostApiState) {
  return {
    number: pull.number,
    html_url: state.url(pull),
    title: pull.title,
    body: pull.body,
    state: pull.state === 'open' ? 'open' : 'closed',
    draft: pull.draft,
    merged: pull.state === 'merged',
    head: { ref: pull.head, sha: state.sha, repo: { full_name: state.isFromFork ? 'grace/fork' : state.repository } },
    base: { ref: pull.base },
  };
}

/** Of Gitea 1.25; gitea-js describes those of 1.23. */
function jobLogs(rest: string, query: URLSearchParams, state: HostApiState): HostApiAnswer {
  if (!state.hasJobLogs) return notFound;
  if (rest === '/actions/runs')
    return { status: 200, body: { workflow_runs: query.get('head_sha') === state.sha ? [{ id: 5 }] : [] } };
  if (rest === '/actions/runs/5/jobs')
    return {
      status: 200,
      body: {
        jobs: state.checks.map(({ id, name, status }) => ({
          id,
          name,
          conclusion: status === 'running' ? null : STATES[status],
        })),
      },
    };
  const id = /^\/actions\/jobs\/(\d+)\/logs$/.exec(rest)?.[1];
  const job = state.checks.find((check) => check.id === Number(id));
  return job ? { status: 200, text: `log of ${job.name}\n${job.log}` } : notFound;
}

export const giteaRoutes: HostApiRoutes = {
  root: '/api/v1',
  probe: { path: '/api/v1/version', answer: { status: 200, body: { version: '1.23.1' } } },
  tokenOf: ({ authorization }) => /^(?:token|bearer) (.+)$/i.exec(String(authorization ?? ''))?.[1] ?? null,
  undescribed: ({ path, query }, state) => {
    const rest = path.slice(`/repos/${state.repository}`.length);
    return /^\/actions\/(?:runs|jobs)\b/.test(rest) ? jobLogs(rest, query, state) : null;
  },
  answer: ({ method, path, query, body }, state) => {
    const repository = `/repos/${state.repository}`;
    if (!path.startsWith(repository)) return notFound;
    const rest = path.slice(repository.length);
    if (rest === '') return { status: 200, body: { default_branch: state.defaultBranch } };
    if (rest === '/reviewers')
      return { status: 200, body: state.people.map((login) => ({ login, full_name: `${login} of the team` })) };
    if (rest === '/pulls' && method === 'GET') {
      const first = (Number(query.get('page') ?? 1) - 1) * Number(query.get('limit') ?? 50);
      const open = state.pulls.filter((one) => one.state === 'open').slice(first, first + Number(query.get('limit')));
      return { status: 200, body: open.map((one) => pullOf(one, state)) };
    }
    if (rest === '/pulls') {
      const { title = '', body: words = '', head = '', base = '' } = body as Record<string, string>;
      const opened = state.create({ title, body: words, head, base, draft: /^wip:/i.test(title) });
      return opened
        ? { status: 201, body: pullOf(opened, state) }
        : { status: 409, body: { message: 'pull request already exists for these targets' } };
    }
    if (/^\/commits\/[^/]+\/status$/.test(rest))
      return {
        status: 200,
        body: {
          statuses:
            state.checks.length === 0
              ? null
              : state.checks.map(({ id, name, status, log }) => ({
                  id,
                  context: name,
                  status: STATES[status],
                  target_url: `/${state.repository}/actions/runs/1/jobs/${id}`,
                  description: log,
                })),
        },
      };
    const [, noun, number = '', part, review] = rest.split('/');
    const pull = state.find(number);
    if (!pull) return notFound;
    const onLines = state.comments.filter((comment) => comment.path !== undefined);
    if (noun === 'issues')
      return {
        status: 200,
        body: state.comments
          .filter((comment) => comment.path === undefined)
          .map(({ id, author, body: text }) => ({ id, user: { login: author }, body: text })),
      };
    if (part === undefined) return { status: 200, body: pullOf(pull, state) };
    if (part === 'requested_reviewers') {
      pull.reviewers.push(...(body as { reviewers: string[] }).reviewers);
      return { status: 201, body: [] };
    }
    if (part !== 'reviews') return notFound;
    if (review === undefined)
      return {
        status: 200,
        body:
          onLines.length === 0
            ? []
            : [
                {
                  id: 1,
                  user: { login: onLines[0]?.author },
                  body: '',
                  state: 'COMMENT',
                  comments_count: onLines.length,
                },
              ],
      };
    return {
      status: 200,
      body: onLines.map(({ id, author, body: text, path: file, line, isResolved = false }) => ({
        id,
        user: { login: author },
        path: file,
        position: line,
        body: text,
        resolver: isResolved ? { login: author } : null,
      })),
    };
  },
};
