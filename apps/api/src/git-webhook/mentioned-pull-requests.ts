/** Which pull requests a delivery is about: those of these numbers and branches; of none, any of the repository. */
type Mentioned = { numbers: number[]; branches: string[] };

type Fields = Record<string, unknown>;

const MAX_MENTIONED = 50;
const MAX_BRANCH_CHARS = 250;

/** Reads it from what a host sent, of which nothing is trusted: it only chooses what is asked of the host again. */
export function mentionedPullRequests(body: Buffer, mediaType: string | undefined): Mentioned {
  const payload = payloadOf(body, mediaType);
  const mergeRequest = fields(payload['object_attributes']);
  const numbers = [
    payload['number'],
    ...[payload['pull_request'], payload['issue']].map((one) => fields(one)['number']),
    ...[mergeRequest, payload['merge_request']].map((one) => fields(one)['iid']),
    ...[payload['check_run'], payload['check_suite'], payload['workflow_run']].flatMap((one) =>
      list(fields(one)['pull_requests']).map((pull) => fields(pull)['number']),
    ),
  ];
  const branches = [
    ...[payload['check_suite'], payload['workflow_run'], fields(payload['check_run'])['check_suite']].map(
      (one) => fields(one)['head_branch'],
    ),
    ...list(payload['branches']).map((one) => fields(one)['name']),
    mergeRequest['ref'],
    payload['ref'],
  ];
  return {
    numbers: numbers
      .filter((one): one is number => Number.isSafeInteger(one) && (one as number) > 0 && (one as number) < 2 ** 31)
      .slice(0, MAX_MENTIONED),
    branches: branches
      .flatMap((one) => (typeof one === 'string' && one !== '' ? [one.replace(/^refs\/heads\//, '')] : []))
      .filter((one) => one.length <= MAX_BRANCH_CHARS)
      .slice(0, MAX_MENTIONED),
  };
}

/** GitHub also sends JSON as a field of a form. */
function payloadOf(body: Buffer, mediaType = ''): Fields {
  const text = body.toString('utf8');
  const isForm = mediaType.startsWith('application/x-www-form-urlencoded');
  try {
    return fields(JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text));
  } catch {
    return {};
  }
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_MENTIONED) : [];
}
