import { breaksOfAnswer, breaksOfRequest } from './schema-breaks.mjs';

/** @typedef {import('./surface.mjs').Surface} Surface */

/**
 * What a client of the earlier surface can no longer rely on, one sentence each; empty where the later one only adds.
 * What the earlier one called deprecated may be gone.
 * @param {Surface} before
 * @param {Surface} now
 * @returns {string[]}
 */
export function breaksBetween(before, now) {
  const within = { before: before.schemas, now: now.schemas };
  return [
    ...Object.entries(before.operations).flatMap(([name, operation]) => {
      const present = now.operations[name];
      if (present) return breaksOfOperation(name, operation, present, within);
      return operation.deprecated ? [] : [`${name}: the route is gone`];
    }),
    ...Object.entries(before.events).flatMap(([kind, payload]) => {
      const present = now.events[kind];
      return present ? breaksOfAnswer(`event ${kind}`, payload, present, within) : [`event ${kind}: the kind is gone`];
    }),
    ...breaksOfVersion(before, now),
  ];
}

/**
 * @param {string} name
 * @param {any} before
 * @param {any} now
 * @param {import('./schema-breaks.mjs').Definitions} within
 */
function breaksOfOperation(name, before, now, within) {
  return [
    ...(before.isOpen && !now.isOpen ? [`${name}: asks for a token now`] : []),
    ...breaksOfParameters(name, before.parameters, now.parameters, within),
    ...breaksOfBody(name, before.body, now.body, within),
    ...Object.entries(before.answers).flatMap(([status, types]) =>
      Object.entries(types).flatMap(([type, schema]) => {
        const place = `${name}, answer ${status}`;
        const present = now.answers[status]?.[type];
        return present ? breaksOfAnswer(place, schema, present, within) : [`${place}: ${type} is gone`];
      }),
    ),
    ...Object.keys(before.answers)
      .filter((status) => !(status in now.answers))
      .map((status) => `${name}: no longer answers ${status}`),
  ];
}

/**
 * @param {string} name
 * @param {any[]} before
 * @param {any[]} now
 * @param {import('./schema-breaks.mjs').Definitions} within
 */
function breaksOfParameters(name, before, now, within) {
  const same = (/** @type {any} */ one) => (/** @type {any} */ other) => one.name === other.name && one.in === other.in;
  return [
    ...before.flatMap((parameter) => {
      const place = `${name}, ${parameter.in} ${parameter.name}`;
      const present = now.find(same(parameter));
      if (!present) return [`${place}: is gone`];
      return [
        ...(present.required && !parameter.required ? [`${place}: is required now`] : []),
        ...breaksOfRequest(place, parameter.schema, present.schema, within),
      ];
    }),
    ...now
      .filter((parameter) => parameter.required && !before.some(same(parameter)))
      .map((parameter) => `${name}, ${parameter.in} ${parameter.name}: is required and new`),
  ];
}

/**
 * @param {string} name
 * @param {any} before
 * @param {any} now
 * @param {import('./schema-breaks.mjs').Definitions} within
 */
function breaksOfBody(name, before, now, within) {
  if (!before) return now?.required ? [`${name}: a body is required now`] : [];
  if (!now) return [`${name}: takes no body any longer`];
  return [
    ...(now.required && !before.required ? [`${name}: a body is required now`] : []),
    ...Object.entries(before.content).flatMap(([type, schema]) =>
      now.content[type]
        ? breaksOfRequest(`${name}, body`, schema, now.content[type], within)
        : [`${name}: no longer takes ${type}`],
    ),
  ];
}

/**
 * A release that adds raises the second number once; the first one stays.
 * @param {Surface} before
 * @param {Surface} now
 */
function breaksOfVersion(before, now) {
  const [major, minor] = before.protocolVersion.split('.').map(Number);
  const [presentMajor, presentMinor] = now.protocolVersion.split('.').map(Number);
  if (presentMajor !== major || Number(presentMinor) < Number(minor))
    return [`the protocol's version ${now.protocolVersion} does not follow ${before.protocolVersion}`];
  const hasGrown = ['operations', 'schemas', 'events'].some((part) => {
    const [earlier, later] = [before, now].map((surface) => JSON.stringify(surface[/** @type {'events'} */ (part)]));
    return earlier !== later;
  });
  return hasGrown && presentMinor === minor
    ? [`the protocol has grown: raise PROTOCOL_VERSION (libs/contracts) above ${before.protocolVersion}`]
    : [];
}
