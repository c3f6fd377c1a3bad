// The clients' types of every route and event, from the text of docs/openapi.json.
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

/**
 * The types of the contracts name what may be left out `?: T | undefined`, as zod does; those of the routes do the
 * same, so that one is assignable to the other. What is undefined is not sent: JSON and addresses leave it out.
 * @param {ts.Node} node
 */
function mayBeUndefined(node) {
  if (!ts.isPropertySignature(node) || node.questionToken === undefined || node.type === undefined) return node;
  if (node.type.kind === ts.SyntaxKind.NeverKeyword) return node;
  const undefinedType = ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
  const type = ts.factory.createUnionTypeNode([node.type, undefinedType]);
  return ts.factory.updatePropertySignature(node, node.modifiers, node.name, node.questionToken, type);
}

/** @type {ts.TransformerFactory<ts.Node>} */
const exactToLoose = (context) => (root) => {
  /** @param {ts.Node} node @returns {ts.Node} */
  const visit = (node) => mayBeUndefined(ts.visitEachChild(node, visit, context));
  return visit(root);
};

/**
 * Payloads of events are named beside the routes, where no tool looks for them: here they are one more schema.
 * @param {import('openapi-typescript').OpenAPI3 & { 'x-events': Record<string, import('openapi-typescript').SchemaObject> }} document
 */
function withEvents(document) {
  const payloads = document['x-events'];
  const schemas = {
    ...document.components?.schemas,
    EventPayloads: { type: /** @type {const} */ ('object'), properties: payloads, required: Object.keys(payloads) },
  };
  return { ...document, components: { ...document.components, schemas } };
}

/**
 * The source of a module of types.
 * @param {string} document
 */
export async function routeTypes(document) {
  const nodes = await openapiTS(withEvents(JSON.parse(document)), { silent: true });
  return `// Generated from docs/openapi.json. Do not edit.\n${astToString(ts.transform(nodes, [exactToLoose]).transformed)}`;
}
