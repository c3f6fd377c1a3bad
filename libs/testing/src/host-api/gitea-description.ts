import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { ApiDescription, type Operation, type Schema } from './api-description';

/**
 * Gitea's description of its API, from the types that gitea-js makes of it: its package holds these, and not the
 * description.
 */
export function giteaDescription(): ApiDescription {
  const path = require.resolve('gitea-js').replace(/index\.m?js$/, 'index.d.ts');
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const types = new Map<string, Schema>();
  const operations: Operation[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node)) types.set(node.name.text, schemaOfMembers(node.members));
    else if (ts.isTypeAliasDeclaration(node)) types.set(node.name.text, schemaOf(node.type));
    else if (ts.isEnumDeclaration(node)) types.set(node.name.text, { type: 'string' });
    else if (ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)) {
      const operation = operationOf(node);
      if (operation) operations.push(operation);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return new ApiDescription(operations, (ref) => types.get(ref) ?? {});
}

function operationOf(node: ts.PropertySignature | ts.PropertyDeclaration): Operation | null {
  const request = ts
    .getJSDocTags(node)
    .find((tag) => tag.tagName.text === 'request')
    ?.getText()
    .match(/@request (GET|POST|PUT|PATCH|DELETE):(\S+)/);
  if (!request || !node.type || !ts.isFunctionTypeNode(node.type)) return null;
  const typeOf = (name: string) =>
    (node.type as ts.FunctionTypeNode).parameters.find((one) => one.name.getText() === name)?.type;
  const [query, body] = [typeOf('query'), typeOf('body')];
  return {
    method: request[1] ?? '',
    path: request[2] ?? '',
    query: (query && schemaOf(query).properties) ?? {},
    body: body ? schemaOf(body) : null,
    answer: answerOf(node.type.type),
  };
}

/** `Promise<HttpResponse<Answer, any>>`. */
function answerOf(type: ts.TypeNode): Schema | null {
  const response = ts.isTypeReferenceNode(type) ? type.typeArguments?.[0] : undefined;
  const answer = response && ts.isTypeReferenceNode(response) ? response.typeArguments?.[0] : undefined;
  return answer ? schemaOf(answer) : null;
}

function schemaOf(type: ts.TypeNode): Schema {
  if (ts.isTypeLiteralNode(type)) return schemaOfMembers(type.members);
  if (ts.isArrayTypeNode(type)) return { type: 'array', items: schemaOf(type.elementType) };
  if (ts.isUnionTypeNode(type)) return { anyOf: type.types.map(schemaOf) };
  if (ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)) return { enum: [type.literal.text] };
  if (ts.isTypeReferenceNode(type) && !type.typeArguments) return { $ref: type.typeName.getText() };
  switch (type.kind) {
    case ts.SyntaxKind.StringKeyword:
      return { type: 'string' };
    case ts.SyntaxKind.NumberKeyword:
      return { type: 'number' };
    case ts.SyntaxKind.BooleanKeyword:
      return { type: 'boolean' };
    default:
      return {};
  }
}

/** What Go leaves out or writes as null is one to its types. */
function schemaOfMembers(members: ts.NodeArray<ts.TypeElement>): Schema {
  const properties = Object.fromEntries(
    members.flatMap((member) =>
      ts.isPropertySignature(member) && member.type
        ? [[member.name.getText().replace(/^['"]|['"]$/g, ''), { nullable: true, ...schemaOf(member.type) }] as const]
        : [],
    ),
  );
  return { type: 'object', properties };
}
