import { notFound, type DoublePull, type HostApiRoutes, type HostApiState } from './host-api.types';

const [PROJECT, FORK] = [1, 77];
const STATUSES = { passed: 'success', failed: 'failed', running: 'running' };

const idOf = (state: HostApiState, name: string) => state.people.indexOf(name) + 1;
const userOf = (state: HostApiState, name: string) => ({ id: idOf(state, name), username: name, name });

function requestOf(pull: DoublePull, state: HostApiState) {
  return {
    iid: pull.number,
    web_url: state.url(pull),
    title: pull.title,
    description: pull.body,
    state: pull.state === 'open' ? 'opened' : pull.state,
    draft: /^draft:/i.test(pull.title),
    sha: state.sha,
    source_project_id: state.isFromFork ? FORK : PROJECT,
    target_project_id: PROJECT,
    source_branch: pull.head,
    target_branch: pull.base,
    reviewers: pull.reviewers.map((name) => userOf(state, name)),
  };
}

export const gitlabRoutes: HostApiRoutes = {
  root: '/api/v4',
  probe: { path: '/api/v4/version', answer: { status: 401, body: { message: '401 Unauthorized' } } },
  tokenOf: (headers) => (headers['private-token'] === undefined ? null : String(headers['private-token'])),
  answer: ({ method, path, query, body }, state) => {
    const project = `/projects/${encodeURIComponent(state.repository)}`;
    const place = state.isFromFork && path.startsWith(`/projects/${FORK}/`) ? `/projects/${FORK}` : project;
    if (!path.startsWith(place)) return notFound;
    const rest = path.slice(place.length);
    const runsHere = state.isFromFork === (place !== project);
    const requests = /^\/merge_requests(?:\/(\d+)(\/discussions)?)?$/.exec(rest);
    if (rest === '') return { status: 200, body: { id: 1, default_branch: state.defaultBranch } };
    if (rest === '/members/all')
      return {
        status: 200,
        body: state.people.map((name) => ({ ...userOf(state, name), state: 'active', access_level: 30 })),
      };
    if (/\/statuses$/.test(rest))
      return {
        status: 200,
        body: (runsHere ? state.checks : []).map(({ id, name, status }) => ({
          id,
          name,
          status: STATUSES[status],
          target_url: `${state.origin}/${state.repository}/-/jobs/${id}`,
          allow_failure: false,
        })),
      };
    const job = /^\/jobs\/(\d+)\/trace$/.exec(rest)?.[1];
    if (job !== undefined && !runsHere) return notFound;
    if (job !== undefined) return { status: 200, text: state.checks.find(({ id }) => id === Number(job))?.log ?? '' };
    if (!requests) return notFound;
    const [, number, isDiscussions] = requests;
    if (number === undefined && method === 'GET') {
      const open = state.pulls.filter((one) => one.state === 'open' && one.head === query.get('source_branch'));
      return { status: 200, body: open.map((one) => requestOf(one, state)) };
    }
    if (number === undefined) {
      const {
        title,
        description,
        source_branch,
        target_branch,
        reviewer_ids = [],
      } = body as Record<string, string> & {
        reviewer_ids?: number[];
      };
      const opened = state.create({
        title: title ?? '',
        body: description ?? '',
        head: source_branch ?? '',
        base: target_branch ?? '',
        draft: /^draft:/i.test(title ?? ''),
      });
      if (!opened)
        return {
          status: 409,
          body: { message: ['Another open merge request already exists for this source branch: !1'] },
        };
      opened.reviewers.push(...reviewer_ids.map((id) => state.people[Number(id) - 1] ?? ''));
      return { status: 201, body: requestOf(opened, state) };
    }
    const pull = state.find(number);
    if (!pull) return notFound;
    if (isDiscussions === undefined) return { status: 200, body: requestOf(pull, state) };
    return {
      status: 200,
      body: state.comments.map(({ id, author, body: text, path: file, line, isResolved = false }) => ({
        id: `d${id}`,
        individual_note: file === undefined,
        notes: [
          {
            id,
            body: text,
            author: { username: author, name: author },
            system: false,
            resolvable: file !== undefined,
            resolved: isResolved,
            position:
              file === undefined ? null : { position_type: 'text', new_path: file, old_path: file, new_line: line },
          },
        ],
      })),
    };
  },
};
